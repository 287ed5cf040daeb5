-- The door that the courier was asked for, as text: the order's address may be corrected meanwhile. Null in requests
-- of earlier releases.
alter table courier_deliveries add column sent_to text;
