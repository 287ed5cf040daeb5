-- The carrier's own time of the newest event of the label's progress: a late event says nothing new.
alter table shipping_labels add column if not exists progress_at timestamptz;
grant update (progress_at) on shipping_labels to cellarhand_app;
