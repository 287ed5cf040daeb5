-- Since 0009 a mail keeps its letter sealed, and nothing has written or read these.
alter table outgoing_mails drop column body_text, drop column body_html;
