-- What a mail server said for good of a mail: at once, or later through the provider's webhook.
alter table outgoing_mails add column bounced_at timestamptz, add column bounce_reason text;
create index outgoing_mails_of_merchant on outgoing_mails (merchant_id, created_at);
