-- PDF files and pictures are compressed in themselves: PostgreSQL's attempt to compress them again only costs time.
alter table batch_papers alter column bytes set storage external;
