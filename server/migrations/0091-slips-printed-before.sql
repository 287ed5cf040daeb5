-- Slips printed before the column existed. Orders of the other tabs are never asked for it.
update orders set has_slip = true where tab = 'active' and document ->> 'printed_timestamp' is not null;
