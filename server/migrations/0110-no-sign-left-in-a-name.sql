-- An apostrophe between two spaces ("de ’ Vries") left two spaces, and 0109 knew only the keyboard's apostrophe, while
-- Unicode's decomposition had made others of signs such as U+FF40 and U+2033. A process of the release before also wrote
-- its form of a name until it ended. So every sign without a sound is taken out once more, and then the spare spaces.
-- The statement reads the table once and writes the few rows that have one, as that of 0109 does.
update order_search set
    names = regexp_replace(regexp_replace(names, U&'[\0027\0060\02BB-\02BD\2018\2019\201B\2032\061C\180E\206A-\206F]', '', 'g'), ' {2,}', ' ', 'g'),
    email = regexp_replace(regexp_replace(email, U&'[\0027\0060\02BB-\02BD\2018\2019\201B\2032\061C\180E\206A-\206F]', '', 'g'), ' {2,}', ' ', 'g')
  where names || email ~ U&'  |[\0027\0060\02BB-\02BD\2018\2019\201B\2032\061C\180E\206A-\206F]';
