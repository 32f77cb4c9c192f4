-- Harbour Boards: forums, posts, comments, and what their people do with them. Ids are whole numbers in every table.
-- Times are text, 2026-03-16 10:00:00. Scores are `ups` - `downs`, counted before the first vote of the table `vote`.

-- people ------------------------------------------------------------------------------------------------------------
CREATE TABLE member (
  id INTEGER PRIMARY KEY,
  username TEXT NOT NULL UNIQUE COLLATE NOCASE,
  full_name TEXT NOT NULL,
  email TEXT NOT NULL,
  password TEXT NOT NULL,            -- made-up accounts of a local toy site: kept readable on purpose
  city TEXT NOT NULL DEFAULT '',
  bio TEXT NOT NULL DEFAULT '',
  colour TEXT NOT NULL,              -- of the round picture with the initials
  joined_at TEXT NOT NULL,
  last_login_at TEXT
);

CREATE TABLE preference (            -- one row a member, made when it is first saved
  id INTEGER PRIMARY KEY,
  member_id INTEGER NOT NULL UNIQUE REFERENCES member(id),
  list_view TEXT NOT NULL DEFAULT 'card',        -- card | compact
  default_sort TEXT NOT NULL DEFAULT 'hot',      -- hot | new | top | controversial
  comment_sort TEXT NOT NULL DEFAULT 'best',     -- best | new | old | controversial
  digest TEXT NOT NULL DEFAULT 'weekly',         -- never | daily | weekly
  notify_replies INTEGER NOT NULL DEFAULT 1,
  notify_messages INTEGER NOT NULL DEFAULT 1,
  public_profile INTEGER NOT NULL DEFAULT 1,
  messages_from TEXT NOT NULL DEFAULT 'everyone' -- everyone | shared | nobody
);

CREATE TABLE blocked (
  id INTEGER PRIMARY KEY,
  member_id INTEGER NOT NULL REFERENCES member(id),
  other_id INTEGER NOT NULL REFERENCES member(id),
  UNIQUE (member_id, other_id)
);

-- signed-in browsers; never part of a state comparison
CREATE TABLE session (
  token TEXT PRIMARY KEY,
  site TEXT NOT NULL,
  user_id INTEGER,                   -- member.id; null for a guest
  csrf TEXT NOT NULL,
  flash TEXT NOT NULL DEFAULT '[]',  -- messages for the next page, JSON
  data TEXT NOT NULL DEFAULT '{}'
);

-- forums ------------------------------------------------------------------------------------------------------------
CREATE TABLE forum (
  id INTEGER PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  topic TEXT NOT NULL,
  tagline TEXT NOT NULL,
  about TEXT NOT NULL,
  colour TEXT NOT NULL,
  created_at TEXT NOT NULL,
  posting TEXT NOT NULL DEFAULT 'everyone'       -- everyone | subscribers | moderators
);

CREATE TABLE forum_rule (
  id INTEGER PRIMARY KEY,
  forum_id INTEGER NOT NULL REFERENCES forum(id),
  position INTEGER NOT NULL,
  title TEXT NOT NULL,
  body TEXT NOT NULL
);

CREATE TABLE flair (
  id INTEGER PRIMARY KEY,
  forum_id INTEGER NOT NULL REFERENCES forum(id),
  name TEXT NOT NULL
);

CREATE TABLE moderator (
  id INTEGER PRIMARY KEY,
  forum_id INTEGER NOT NULL REFERENCES forum(id),
  member_id INTEGER NOT NULL REFERENCES member(id),
  since TEXT NOT NULL
);

CREATE TABLE subscription (
  id INTEGER PRIMARY KEY,
  forum_id INTEGER NOT NULL REFERENCES forum(id),
  member_id INTEGER NOT NULL REFERENCES member(id),
  UNIQUE (member_id, forum_id)
);

CREATE TABLE ban (
  id INTEGER PRIMARY KEY,
  forum_id INTEGER NOT NULL REFERENCES forum(id),
  member_id INTEGER NOT NULL REFERENCES member(id),
  reason TEXT NOT NULL,
  note TEXT NOT NULL DEFAULT '',     -- seen by moderators only
  days INTEGER,                      -- null: for good
  banned_at TEXT NOT NULL,
  by_id INTEGER NOT NULL REFERENCES member(id)
);

CREATE TABLE mod_log (
  id INTEGER PRIMARY KEY,
  forum_id INTEGER NOT NULL REFERENCES forum(id),
  member_id INTEGER NOT NULL REFERENCES member(id),
  action TEXT NOT NULL,              -- Removed post, Approved comment, Pinned post, ...
  target TEXT NOT NULL,
  done_at TEXT NOT NULL
);

-- posts and comments ------------------------------------------------------------------------------------------------
CREATE TABLE post (
  id INTEGER PRIMARY KEY,
  forum_id INTEGER NOT NULL REFERENCES forum(id),
  author_id INTEGER NOT NULL REFERENCES member(id),
  kind TEXT NOT NULL DEFAULT 'text', -- text | link | picture
  title TEXT NOT NULL,
  body TEXT NOT NULL DEFAULT '',     -- markdown
  url TEXT NOT NULL DEFAULT '',      -- of a link; __SHOPPING__/p/... is a page of another site
  picture TEXT NOT NULL DEFAULT '',  -- name of a drawn picture, or upload:<id>
  flair_id INTEGER REFERENCES flair(id),
  crosspost_id INTEGER REFERENCES post(id),
  created_at TEXT NOT NULL,
  edited_at TEXT,
  ups INTEGER NOT NULL DEFAULT 1,    -- the author's own among them
  downs INTEGER NOT NULL DEFAULT 0,
  is_pinned INTEGER NOT NULL DEFAULT 0,
  is_locked INTEGER NOT NULL DEFAULT 0,
  status TEXT NOT NULL DEFAULT 'visible'         -- visible | removed (by a moderator) | deleted (by the author)
);

CREATE TABLE comment (
  id INTEGER PRIMARY KEY,
  post_id INTEGER NOT NULL REFERENCES post(id),
  parent_id INTEGER REFERENCES comment(id),
  author_id INTEGER NOT NULL REFERENCES member(id),
  body TEXT NOT NULL,
  created_at TEXT NOT NULL,
  edited_at TEXT,
  ups INTEGER NOT NULL DEFAULT 1,
  downs INTEGER NOT NULL DEFAULT 0,
  status TEXT NOT NULL DEFAULT 'visible'
);

CREATE TABLE vote (                  -- on a post or on a comment
  id INTEGER PRIMARY KEY,
  member_id INTEGER NOT NULL REFERENCES member(id),
  post_id INTEGER REFERENCES post(id),
  comment_id INTEGER REFERENCES comment(id),
  value INTEGER NOT NULL CHECK (value IN (1, -1))
);

CREATE TABLE saved (
  id INTEGER PRIMARY KEY,
  member_id INTEGER NOT NULL REFERENCES member(id),
  post_id INTEGER REFERENCES post(id),
  comment_id INTEGER REFERENCES comment(id)
);

CREATE TABLE hidden (
  id INTEGER PRIMARY KEY,
  member_id INTEGER NOT NULL REFERENCES member(id),
  post_id INTEGER NOT NULL REFERENCES post(id)
);

CREATE TABLE report (
  id INTEGER PRIMARY KEY,
  forum_id INTEGER NOT NULL REFERENCES forum(id),
  post_id INTEGER REFERENCES post(id),
  comment_id INTEGER REFERENCES comment(id),
  reporter_id INTEGER NOT NULL REFERENCES member(id),
  reason TEXT NOT NULL,
  note TEXT NOT NULL DEFAULT '',
  status TEXT NOT NULL DEFAULT 'open',           -- open | approved | removed
  created_at TEXT NOT NULL
);

CREATE TABLE upload (                -- pictures that members sent, base64
  id INTEGER PRIMARY KEY,
  member_id INTEGER NOT NULL REFERENCES member(id),
  mime TEXT NOT NULL,
  content TEXT NOT NULL
);

-- messages ----------------------------------------------------------------------------------------------------------
CREATE TABLE conversation (
  id INTEGER PRIMARY KEY,
  subject TEXT NOT NULL,
  starter_id INTEGER NOT NULL REFERENCES member(id),
  other_id INTEGER NOT NULL REFERENCES member(id)
);

CREATE TABLE message (
  id INTEGER PRIMARY KEY,
  conversation_id INTEGER NOT NULL REFERENCES conversation(id),
  sender_id INTEGER NOT NULL REFERENCES member(id),
  body TEXT NOT NULL,
  sent_at TEXT NOT NULL,
  is_read INTEGER NOT NULL DEFAULT 0             -- by the one who got it
);

-- wiki --------------------------------------------------------------------------------------------------------------
CREATE TABLE wiki_page (
  id INTEGER PRIMARY KEY,
  forum_id INTEGER NOT NULL REFERENCES forum(id),
  slug TEXT NOT NULL,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  UNIQUE (forum_id, slug)
);

CREATE TABLE wiki_revision (
  id INTEGER PRIMARY KEY,
  page_id INTEGER NOT NULL REFERENCES wiki_page(id),
  number INTEGER NOT NULL,
  body TEXT NOT NULL,
  note TEXT NOT NULL DEFAULT '',
  author_id INTEGER NOT NULL REFERENCES member(id),
  edited_at TEXT NOT NULL
);

CREATE INDEX rule_by_forum ON forum_rule(forum_id);
CREATE INDEX flair_by_forum ON flair(forum_id);
CREATE INDEX moderator_by_forum ON moderator(forum_id);
CREATE INDEX subscription_by_forum ON subscription(forum_id);
CREATE INDEX post_by_forum ON post(forum_id, created_at);
CREATE INDEX post_by_author ON post(author_id);
CREATE INDEX comment_by_post ON comment(post_id, status);
CREATE INDEX comment_by_author ON comment(author_id);
CREATE INDEX vote_by_post ON vote(post_id) WHERE post_id IS NOT NULL;
CREATE INDEX vote_by_comment ON vote(comment_id) WHERE comment_id IS NOT NULL;
CREATE INDEX saved_by_member ON saved(member_id);
CREATE INDEX hidden_by_member ON hidden(member_id);
CREATE INDEX message_by_conversation ON message(conversation_id);
CREATE INDEX revision_by_page ON wiki_revision(page_id);
