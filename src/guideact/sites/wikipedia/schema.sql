-- What people do with the encyclopedia. The articles themselves and their earlier texts are shipped with the package
-- (library.py, past.py); only what is written afterwards has its text here.
-- Dates are ISO text in the sites' fixed time zone, booleans are 0/1.

CREATE TABLE user (
  id INTEGER PRIMARY KEY,
  username TEXT NOT NULL UNIQUE,
  full_name TEXT NOT NULL,
  email TEXT NOT NULL,
  password TEXT NOT NULL,            -- made-up accounts of a local toy site: kept readable on purpose
  city TEXT NOT NULL,
  role TEXT NOT NULL,                -- editor | administrator
  about TEXT NOT NULL DEFAULT '',    -- the user page, in the language of articles
  registered_at TEXT NOT NULL,
  last_login_at TEXT
);

CREATE TABLE preference (            -- one row a user
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL UNIQUE REFERENCES user(id),
  language TEXT NOT NULL DEFAULT 'en',               -- en | de
  date_format TEXT NOT NULL DEFAULT 'day_month',     -- day_month | month_day | iso
  time_zone TEXT NOT NULL DEFAULT 'Europe/Helsinki',
  appearance TEXT NOT NULL DEFAULT 'light',          -- light | sepia | dark
  text_size TEXT NOT NULL DEFAULT 'standard',        -- small | standard | large
  results_per_page INTEGER NOT NULL DEFAULT 10,      -- 10 | 20 | 50
  show_previews INTEGER NOT NULL DEFAULT 1,
  watch_edited INTEGER NOT NULL DEFAULT 1,
  watch_created INTEGER NOT NULL DEFAULT 1,
  hide_minor INTEGER NOT NULL DEFAULT 0,
  mail_talk INTEGER NOT NULL DEFAULT 1,
  signature TEXT NOT NULL DEFAULT ''
);

CREATE TABLE article (
  id INTEGER PRIMARY KEY,            -- as in library.py; new articles get the next numbers
  slug TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  is_protected INTEGER NOT NULL DEFAULT 0            -- only administrators edit it
);

CREATE TABLE revision (
  id INTEGER PRIMARY KEY,
  article_id INTEGER NOT NULL REFERENCES article(id),
  number INTEGER NOT NULL,           -- 1 is the article's first
  user_id INTEGER NOT NULL REFERENCES user(id),
  created_at TEXT NOT NULL,
  summary TEXT NOT NULL DEFAULT '',
  size INTEGER NOT NULL,             -- bytes of the source
  is_minor INTEGER NOT NULL DEFAULT 0,
  body TEXT                          -- null for what the package ships
);

CREATE TABLE thanks (
  id INTEGER PRIMARY KEY,
  revision_id INTEGER NOT NULL REFERENCES revision(id),
  user_id INTEGER NOT NULL REFERENCES user(id),
  UNIQUE (revision_id, user_id)
);

CREATE TABLE watch (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES user(id),
  article_id INTEGER NOT NULL REFERENCES article(id),
  added_at TEXT NOT NULL,
  UNIQUE (user_id, article_id)
);

CREATE TABLE talk_topic (
  id INTEGER PRIMARY KEY,
  article_id INTEGER NOT NULL REFERENCES article(id),
  title TEXT NOT NULL,
  is_closed INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE talk_comment (
  id INTEGER PRIMARY KEY,
  topic_id INTEGER NOT NULL REFERENCES talk_topic(id),
  user_id INTEGER NOT NULL REFERENCES user(id),
  body TEXT NOT NULL,
  created_at TEXT NOT NULL
);

CREATE TABLE reading_list (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES user(id),
  name TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  created_at TEXT NOT NULL
);

CREATE TABLE reading_list_item (
  id INTEGER PRIMARY KEY,
  list_id INTEGER NOT NULL REFERENCES reading_list(id),
  article_id INTEGER NOT NULL REFERENCES article(id),
  added_at TEXT NOT NULL,
  UNIQUE (list_id, article_id)
);

-- signed-in browsers; never part of a state comparison
CREATE TABLE session (
  token TEXT PRIMARY KEY,
  site TEXT NOT NULL,                -- wikipedia
  user_id INTEGER,                   -- user.id; null for a guest
  csrf TEXT NOT NULL,
  flash TEXT NOT NULL DEFAULT '[]',  -- messages for the next page, JSON
  data TEXT NOT NULL DEFAULT '{}'    -- closed notices, drafts, JSON
);

CREATE INDEX revision_by_article ON revision(article_id, number);
CREATE INDEX revision_by_user ON revision(user_id);
CREATE INDEX revision_written ON revision(article_id) WHERE body IS NOT NULL;
CREATE INDEX watch_by_user ON watch(user_id);
CREATE INDEX topic_by_article ON talk_topic(article_id);
CREATE INDEX comment_by_topic ON talk_comment(topic_id);
CREATE INDEX list_by_user ON reading_list(user_id);
CREATE INDEX item_by_list ON reading_list_item(list_id);
