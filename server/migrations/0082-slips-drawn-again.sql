-- A slip that turned out to be a reprint is drawn again before its batch ends.
grant update (bytes) on batch_papers to cellarhand_app;
