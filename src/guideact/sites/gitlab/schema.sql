-- Quayside, a forge for code: people, groups, projects, what is planned in them and how their files came about.
--
-- Texts of files are not here: `file_change.blob` names them by a hash, and `blobs.py` keeps those that the site came
-- with. Only what is written through the web editor lies in the table `blob`.

CREATE TABLE account (
  id INTEGER PRIMARY KEY,
  username TEXT NOT NULL UNIQUE,
  full_name TEXT NOT NULL,
  email TEXT NOT NULL UNIQUE,
  password TEXT NOT NULL,
  bio TEXT NOT NULL DEFAULT '',
  location TEXT NOT NULL DEFAULT '',
  organisation TEXT NOT NULL DEFAULT '',
  website TEXT NOT NULL DEFAULT '',
  status_emoji TEXT NOT NULL DEFAULT '',
  status_text TEXT NOT NULL DEFAULT '',
  is_busy INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  last_login_at TEXT
);

CREATE TABLE session (
  token TEXT PRIMARY KEY,
  site TEXT NOT NULL,
  user_id INTEGER,                   -- account.id; null for a guest
  csrf TEXT NOT NULL,
  flash TEXT NOT NULL DEFAULT '[]',  -- messages for the next page, JSON
  data TEXT NOT NULL DEFAULT '{}'
);

CREATE TABLE namespace (             -- what stands before the slash of a project's address
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,                -- user | group
  description TEXT NOT NULL DEFAULT '',
  account_id INTEGER REFERENCES account(id), -- whose personal one it is
  created_at TEXT NOT NULL
);

CREATE TABLE group_member (
  id INTEGER PRIMARY KEY,
  namespace_id INTEGER NOT NULL REFERENCES namespace(id),
  account_id INTEGER NOT NULL REFERENCES account(id),
  role TEXT NOT NULL,                -- Guest | Reporter | Developer | Maintainer | Owner
  joined_on TEXT NOT NULL,
  UNIQUE (namespace_id, account_id)
);

CREATE TABLE project (
  id INTEGER PRIMARY KEY,
  namespace_id INTEGER NOT NULL REFERENCES namespace(id),
  path TEXT NOT NULL,
  full_path TEXT NOT NULL UNIQUE,    -- namespace and path: harbour-code/tidewater
  name TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  topics TEXT NOT NULL DEFAULT '',   -- separated by commas
  visibility TEXT NOT NULL,          -- public | internal | private
  default_branch TEXT NOT NULL DEFAULT 'main',
  is_archived INTEGER NOT NULL DEFAULT 0,
  needs_approvals INTEGER NOT NULL DEFAULT 0, -- how many approvals a merge takes
  links TEXT NOT NULL DEFAULT '',    -- sites that the side menu leads to: shopping,shopping_admin
  forked_from_id INTEGER REFERENCES project(id) ON DELETE SET NULL,
  created_at TEXT NOT NULL
);

CREATE TABLE project_member (
  id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES project(id) ON DELETE CASCADE,
  account_id INTEGER NOT NULL REFERENCES account(id),
  role TEXT NOT NULL,
  joined_on TEXT NOT NULL,
  UNIQUE (project_id, account_id)
);

CREATE TABLE star (
  id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES project(id) ON DELETE CASCADE,
  account_id INTEGER NOT NULL REFERENCES account(id),
  UNIQUE (project_id, account_id)
);

--- files ---------------------------------------------------------------------------------------------------------
CREATE TABLE revision (              -- a commit
  id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES project(id) ON DELETE CASCADE,
  sha TEXT NOT NULL,
  parent_id INTEGER REFERENCES revision(id) ON DELETE CASCADE,
  merged_id INTEGER REFERENCES revision(id) ON DELETE CASCADE, -- second parent of a merge
  author_id INTEGER NOT NULL REFERENCES account(id),
  title TEXT NOT NULL,
  body TEXT NOT NULL DEFAULT '',
  created_at TEXT NOT NULL
);
CREATE INDEX revision_project ON revision (project_id, created_at);
CREATE INDEX revision_sha ON revision (sha);

CREATE TABLE file_change (           -- what a revision changed against its first parent
  id INTEGER PRIMARY KEY,
  revision_id INTEGER NOT NULL REFERENCES revision(id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  blob TEXT                          -- hash of the text afterwards; null where the file went
);
CREATE INDEX file_change_revision ON file_change (revision_id);

CREATE TABLE blob (                  -- texts written since
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  content TEXT NOT NULL
);

CREATE TABLE branch (
  id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES project(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  revision_id INTEGER NOT NULL REFERENCES revision(id) ON DELETE CASCADE,
  is_protected INTEGER NOT NULL DEFAULT 0,
  UNIQUE (project_id, name)
);

CREATE TABLE tag (
  id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES project(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  revision_id INTEGER NOT NULL REFERENCES revision(id) ON DELETE CASCADE,
  message TEXT NOT NULL DEFAULT '',
  created_at TEXT NOT NULL,
  UNIQUE (project_id, name)
);

CREATE TABLE release (
  id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES project(id) ON DELETE CASCADE,
  tag_id INTEGER NOT NULL REFERENCES tag(id) ON DELETE CASCADE,
  author_id INTEGER NOT NULL REFERENCES account(id),
  title TEXT NOT NULL,
  body TEXT NOT NULL DEFAULT '',
  created_at TEXT NOT NULL
);

--- planning --------------------------------------------------------------------------------------------------------
CREATE TABLE label (
  id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES project(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  color TEXT NOT NULL,               -- red | orange | amber | green | teal | blue | violet | pink | grey
  description TEXT NOT NULL DEFAULT '',
  UNIQUE (project_id, name)
);

CREATE TABLE board_list (            -- a column of the project's board
  id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES project(id) ON DELETE CASCADE,
  label_id INTEGER NOT NULL REFERENCES label(id) ON DELETE CASCADE,
  position INTEGER NOT NULL
);

CREATE TABLE milestone (
  id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES project(id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  starts_on TEXT NOT NULL DEFAULT '',
  due_on TEXT NOT NULL DEFAULT '',
  state TEXT NOT NULL DEFAULT 'active', -- active | closed
  UNIQUE (project_id, title)
);

CREATE TABLE issue (
  id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES project(id) ON DELETE CASCADE,
  iid INTEGER NOT NULL,              -- its number within the project
  title TEXT NOT NULL,
  body TEXT NOT NULL DEFAULT '',
  author_id INTEGER NOT NULL REFERENCES account(id),
  state TEXT NOT NULL DEFAULT 'open', -- open | closed
  milestone_id INTEGER REFERENCES milestone(id) ON DELETE SET NULL,
  due_on TEXT NOT NULL DEFAULT '',
  weight INTEGER,
  is_confidential INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  closed_at TEXT,
  UNIQUE (project_id, iid)
);

CREATE TABLE issue_label (
  id INTEGER PRIMARY KEY,
  issue_id INTEGER NOT NULL REFERENCES issue(id) ON DELETE CASCADE,
  label_id INTEGER NOT NULL REFERENCES label(id) ON DELETE CASCADE,
  UNIQUE (issue_id, label_id)
);

CREATE TABLE issue_assignee (
  id INTEGER PRIMARY KEY,
  issue_id INTEGER NOT NULL REFERENCES issue(id) ON DELETE CASCADE,
  account_id INTEGER NOT NULL REFERENCES account(id),
  UNIQUE (issue_id, account_id)
);

CREATE TABLE merge_request (
  id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES project(id) ON DELETE CASCADE,
  iid INTEGER NOT NULL,
  title TEXT NOT NULL,
  body TEXT NOT NULL DEFAULT '',
  author_id INTEGER NOT NULL REFERENCES account(id),
  state TEXT NOT NULL DEFAULT 'open', -- open | merged | closed
  is_draft INTEGER NOT NULL DEFAULT 0,
  source_branch TEXT NOT NULL,
  target_branch TEXT NOT NULL,
  base_id INTEGER NOT NULL REFERENCES revision(id) ON DELETE CASCADE, -- where the source left the target
  head_id INTEGER NOT NULL REFERENCES revision(id) ON DELETE CASCADE, -- the source's last revision
  milestone_id INTEGER REFERENCES milestone(id) ON DELETE SET NULL,
  assignee_id INTEGER REFERENCES account(id),
  created_at TEXT NOT NULL,
  closed_at TEXT,
  merged_by_id INTEGER REFERENCES account(id),
  UNIQUE (project_id, iid)
);

CREATE TABLE merge_label (
  id INTEGER PRIMARY KEY,
  merge_request_id INTEGER NOT NULL REFERENCES merge_request(id) ON DELETE CASCADE,
  label_id INTEGER NOT NULL REFERENCES label(id) ON DELETE CASCADE,
  UNIQUE (merge_request_id, label_id)
);

CREATE TABLE review (
  id INTEGER PRIMARY KEY,
  merge_request_id INTEGER NOT NULL REFERENCES merge_request(id) ON DELETE CASCADE,
  account_id INTEGER NOT NULL REFERENCES account(id),
  state TEXT NOT NULL DEFAULT 'asked', -- asked | approved | changes_requested
  UNIQUE (merge_request_id, account_id)
);

CREATE TABLE note (                  -- a comment
  id INTEGER PRIMARY KEY,
  issue_id INTEGER REFERENCES issue(id) ON DELETE CASCADE,
  merge_request_id INTEGER REFERENCES merge_request(id) ON DELETE CASCADE,
  author_id INTEGER NOT NULL REFERENCES account(id),
  body TEXT NOT NULL,
  created_at TEXT NOT NULL
);
CREATE INDEX note_issue ON note (issue_id);
CREATE INDEX note_merge_request ON note (merge_request_id);

CREATE TABLE system_note (           -- "added the label bug": what was done, for the thread
  id INTEGER PRIMARY KEY,
  issue_id INTEGER REFERENCES issue(id) ON DELETE CASCADE,
  merge_request_id INTEGER REFERENCES merge_request(id) ON DELETE CASCADE,
  author_id INTEGER NOT NULL REFERENCES account(id),
  text TEXT NOT NULL,
  created_at TEXT NOT NULL
);
CREATE INDEX system_note_issue ON system_note (issue_id);
CREATE INDEX system_note_merge_request ON system_note (merge_request_id);

CREATE TABLE todo (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES account(id),
  author_id INTEGER NOT NULL REFERENCES account(id),
  reason TEXT NOT NULL,              -- assigned | mentioned | review
  issue_id INTEGER REFERENCES issue(id) ON DELETE CASCADE,
  merge_request_id INTEGER REFERENCES merge_request(id) ON DELETE CASCADE,
  state TEXT NOT NULL DEFAULT 'pending', -- pending | done
  created_at TEXT NOT NULL
);

CREATE TABLE snippet (
  id INTEGER PRIMARY KEY,
  author_id INTEGER NOT NULL REFERENCES account(id),
  title TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  file_name TEXT NOT NULL,
  content TEXT NOT NULL,
  visibility TEXT NOT NULL,          -- public | internal | private
  created_at TEXT NOT NULL
);
