-- When the shop delivers, as the wire has it; null while nobody has said so.
alter table merchants add column regular_hours json;
