BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL,
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0004');
CREATE TABLE event (
	match_id VARCHAR(40) NOT NULL,
	ply INTEGER NOT NULL,
	kind INTEGER NOT NULL,
	seat INTEGER NOT NULL,
	action INTEGER NOT NULL,
	move_id VARCHAR(40),
	at BIGINT NOT NULL,
	PRIMARY KEY (match_id, ply),
	FOREIGN KEY(match_id) REFERENCES "match" (id)
)
 WITHOUT ROWID

;
INSERT INTO "event" VALUES('5ukirgjfwqzgv3w7oqqq',0,0,-1,2,NULL,1795612974584);
INSERT INTO "event" VALUES('5ukirgjfwqzgv3w7oqqq',1,0,-1,7,NULL,1795612974584);
INSERT INTO "event" VALUES('5ukirgjfwqzgv3w7oqqq',2,0,-1,13,NULL,1795612974584);
INSERT INTO "event" VALUES('5ukirgjfwqzgv3w7oqqq',3,0,-1,18,NULL,1795612974584);
INSERT INTO "event" VALUES('5ukirgjfwqzgv3w7oqqq',4,0,-1,26,NULL,1795612974584);
INSERT INTO "event" VALUES('5ukirgjfwqzgv3w7oqqq',5,0,-1,33,NULL,1795612974584);
INSERT INTO "event" VALUES('5ukirgjfwqzgv3w7oqqq',6,0,-1,39,NULL,1795612974584);
INSERT INTO "event" VALUES('5ukirgjfwqzgv3w7oqqq',7,0,0,66,'move00000007',1795612974819);
INSERT INTO "event" VALUES('5ukirgjfwqzgv3w7oqqq',8,0,-1,18,NULL,1795612974819);
INSERT INTO "event" VALUES('5ukirgjfwqzgv3w7oqqq',9,0,0,62,'move00000009',1795612974846);
INSERT INTO "event" VALUES('5ukirgjfwqzgv3w7oqqq',10,0,0,81,'move00000010',1795612974932);
INSERT INTO "event" VALUES('5ukirgjfwqzgv3w7oqqq',11,2,0,0,'resign000001',1795612974967);
INSERT INTO "event" VALUES('m56he7nfcdgnx57u47kq',0,0,0,22,'move00000000',1795612974151);
INSERT INTO "event" VALUES('m56he7nfcdgnx57u47kq',1,0,1,160,'move00000001',1795612974206);
INSERT INTO "event" VALUES('m56he7nfcdgnx57u47kq',2,0,0,26,'move00000002',1795612974283);
INSERT INTO "event" VALUES('m56he7nfcdgnx57u47kq',3,0,1,157,'move00000003',1795612974318);
INSERT INTO "event" VALUES('m56he7nfcdgnx57u47kq',4,1,0,3,'undo00000001',1795612974400);
INSERT INTO "event" VALUES('wdhig7dnfbx3u7a4h24a',0,0,0,22,NULL,1795612974425);
INSERT INTO "event" VALUES('wdhig7dnfbx3u7a4h24a',1,0,1,160,NULL,1795612974425);
INSERT INTO "event" VALUES('wdhig7dnfbx3u7a4h24a',2,0,0,28,'move00000002',1795612974432);
CREATE TABLE "match" (
	id VARCHAR(40) NOT NULL,
	game VARCHAR(60) NOT NULL,
	version INTEGER NOT NULL,
	options TEXT NOT NULL,
	secret BLOB NOT NULL,
	seal VARCHAR(64) NOT NULL,
	status VARCHAR(10) NOT NULL,
	open BOOLEAN NOT NULL,
	code VARCHAR(40) NOT NULL,
	created BIGINT NOT NULL,
	parent VARCHAR(40),
	told INTEGER NOT NULL,
	proven BOOLEAN NOT NULL,
	again VARCHAR(40), record TEXT,
	PRIMARY KEY (id),
	UNIQUE (code)
);
INSERT INTO "match" VALUES('m56he7nfcdgnx57u47kq','dodgem',1,'{}',X'496B1D408398D96106A720C991886128F89AA8E67E4AC25F8B9EEA15DC780E57','4361e1f4a1329c705267664143ffceabce46c665c5b12a88119fcaacc02a8277','playing',0,'sjg7bo2iuzidsn3qr66g7kwpsu',1795612974078,NULL,0,1,NULL,NULL);
INSERT INTO "match" VALUES('wdhig7dnfbx3u7a4h24a','dodgem',1,'{}',X'9A3A67E729AACFF54FDB627191020EFFAD9233BC28AB7E9D9E1EBADDCC458758','aa0fe89f9910176ba24f7d6daae57254e93bbdba1b3a2e0654ea4d80f5689ff7','playing',0,'bwscetvbxlo6a35cetwm3ocspq',1795612974425,'m56he7nfcdgnx57u47kq',2,0,NULL,NULL);
INSERT INTO "match" VALUES('tqbsklvytqxflafvgr5q','dodgem',1,'{}',X'72D31C6BA84DEC4770BAA4C6BFC3A214A4BC2C8024EA5A5C1EC74CFEEE83DB77','f75570574060ec5a24a40a9deeb127748f54a43cd3f6c9b8245f6ffa44a6ec62','waiting',1,'5vk4bxneqxrqjs4pulnqzmwyia',1795612974482,NULL,0,1,NULL,NULL);
INSERT INTO "match" VALUES('5ukirgjfwqzgv3w7oqqq','thrag',1,'{}',X'4CE102865831FCE1753464416219B9896AFBC72863C4ADA834A9A42372A5D20C','a52d8bbf19c0a1fb35d96e51fd4f571f925253cd7b7c11414a29ac1bb0a37608','over',0,'uzvfa6j7lpbyd2fjzuwaavpioy',1795612974584,NULL,0,1,NULL,'[Game "thrag"]
[Rules 1]
[Seal "a52d8bbf19c0a1fb35d96e51fd4f571f925253cd7b7c11414a29ac1bb0a37608"]
[Secret "4ce102865831fce1753464416219b9896afbc72863c4ada834a9a42372a5d20c"]
[Deal "3d48910e59ecfe72b0416286fefb25fc"]

(S:2 C:a A:a S=n C=2 A=3 M=3)
1. weapon:S (S=n)
2. fight:A pay:4
= {"ended": "resigned", "by": "player"}
digest 2cc57f9f75a31cbecacee3dfde264397a65ee16289006404fa4466715c9c9987
');
CREATE TABLE seat (
	match_id VARCHAR(40) NOT NULL,
	number INTEGER NOT NULL,
	kind VARCHAR(10) NOT NULL,
	name VARCHAR(80) NOT NULL,
	bot VARCHAR(40) NOT NULL,
	holder VARCHAR(64) NOT NULL,
	words VARCHAR(200) NOT NULL, points INTEGER,
	PRIMARY KEY (match_id, number),
	FOREIGN KEY(match_id) REFERENCES "match" (id)
);
INSERT INTO "seat" VALUES('m56he7nfcdgnx57u47kq',0,'person','Ann','','ann','luck',NULL);
INSERT INTO "seat" VALUES('m56he7nfcdgnx57u47kq',1,'person','Ann','','ann','luck',NULL);
INSERT INTO "seat" VALUES('wdhig7dnfbx3u7a4h24a',0,'person','Ann','','ann','',NULL);
INSERT INTO "seat" VALUES('wdhig7dnfbx3u7a4h24a',1,'person','Ann','','ann','',NULL);
INSERT INTO "seat" VALUES('tqbsklvytqxflafvgr5q',0,'person','Ann','','ann','hello',NULL);
INSERT INTO "seat" VALUES('tqbsklvytqxflafvgr5q',1,'open','','','','',NULL);
INSERT INTO "seat" VALUES('5ukirgjfwqzgv3w7oqqq',0,'person','','','ann','',0);
CREATE INDEX match_open ON "match" (status, open, created);
CREATE INDEX seat_holder ON seat (holder, match_id);
CREATE UNIQUE INDEX event_move ON event (match_id, move_id);
COMMIT;
