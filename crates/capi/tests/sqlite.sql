CREATE TABLE mail(id INTEGER, body TEXT);
INSERT INTO mail VALUES
  (1, 'See <URL:http://Host.dom/long-' || char(10) || '  path> and ftp://host.dom/.'),
  (2, NULL), (3, ''), (4, 'no URL'), (5, 'é http://host.dom/'), (6, x''), (7, 8);
SELECT url FROM urlsift_find('at http://host.dom/a, http://b.dom/');
SELECT id, url, start, "end", form, valid, urlsift_normalize(url) FROM mail, urlsift_find(body) ORDER BY id, start;
SELECT id, count(url) FROM mail LEFT JOIN urlsift_find(body) GROUP BY id;
-- The order of the tables does not matter.
SELECT id FROM urlsift_find(mail.body) AS found, mail WHERE found.url LIKE 'ftp:%';
SELECT a.url, b.url FROM mail, urlsift_find(body) AS a, urlsift_find(body) AS b WHERE a.start < b.start;
SELECT count(*) FROM urlsift_find(NULL);
SELECT count(*) FROM urlsift_find('');
SELECT count(*) FROM urlsift_find;
SELECT urlsift_normalize('HTTP://Host.dom:80/'), urlsift_normalize('no URL'), urlsift_normalize(''), quote(urlsift_normalize(NULL));
-- A view may use both.
CREATE VIEW found AS SELECT id, urlsift_normalize(url) FROM mail, urlsift_find(body);
PRAGMA trusted_schema = OFF;
SELECT count(*) FROM found;
SELECT count(*) FROM urlsift_find(replace(hex(zeroblob(500)), '00', 'http://host.dom/ '));
