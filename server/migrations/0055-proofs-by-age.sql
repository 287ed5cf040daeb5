-- The purge goes through the proofs by their age.
create index courier_proofs_by_age on courier_proofs (delivered_at, merchant_id, order_id);
