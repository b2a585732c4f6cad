/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The vault authors
 *
 * The files of one epoch and the order in which they are written: docs/format.md sections 7, 8, 11 to 14.
 *
 * One process is the program, session after session. What it has written and not waited for may reach the disk or not,
 * each write for itself (`resolve`); a program that is killed leaves all of it in the system's memory. With ADVERSARY
 * the owner of the disk puts any file or any page back to any state that it had, also one of a clone of the vault.
 * A clone's header is as authentic as the vault's, and its counter does not say whose it is: one with a higher counter
 * than manifest, index and pin know is accepted, whoever it lets in.
 * Each WITHOUT_... takes one rule out; models.py does that for all of them.
 */

/* Sizes. Page 0 has the generation and is written by each commit; page 1 has the header that the index knows. Leaf 0 of
 * the map has pages 0 and 1, leaf 1 page 2. A note is committed while the generation is lower than COMMITS; a record of
 * a header is a commit, too, and no entry of the chain. */
#ifndef PAGES
#define PAGES 3
#endif
#ifndef COMMITS
#define COMMITS 3
#endif
#ifndef SESSIONS
#define SESSIONS 3
#endif
#ifndef CUTS
#define CUTS 2
#endif
#ifndef KILLS
#define KILLS 1
#endif
#ifndef ROTS
#define ROTS 0
#endif
#ifndef HEADERS
#define HEADERS 2
#endif
#ifndef CHECKPOINTS
#define CHECKPOINTS 1
#endif

/* A version names a commit: generation and the session that made it. A tag is that of one writing of a page: the
 * version and the session that wrote it, since each writing has a random nonce. */
#define VERSION(g, s) ((g) | ((s) << 3))
#define GEN(v) ((v) & 7)
#define MAKER(v) (((v) >> 3) & 3)
#define TAG(v, s) ((v) | ((s) << 5))
#define SEALED(t) ((t) & 31)
#define TORN 255

/* A header: its counter, the session that made it, whether credential X opens it. 0 is one that cannot be read. */
#define HEADER(c, s, x) ((c) | ((s) << 2) | ((x) << 4))
#define COUNTER(h) ((h) & 3)
#define OPENS_X(h) ((h) >> 4)
#define IS_OLDER(h, known) (COUNTER(h) < COUNTER(known) || (COUNTER(h) == COUNTER(known) && h != known))

/* What a commit has written: pages 0 to 2, and the header if it recorded one. */
#define WRITTEN(v, g) wrote[8 * (v) + (g)]
#define PAGES_OF(x) ((x) & 7)
#define HEADER_OF(x) ((x) >> 3)

typedef Manifest {
    bool whole;
    byte gen;
    byte salt;
    byte synced;
    bool open;
    byte header;
    byte slots;             /* bit 0 and 1: of the leaves, bit 2: of the root */
    byte tag[PAGES]
};
#define COPY(a, b) a.whole = b.whole; a.gen = b.gen; a.salt = b.salt; a.synced = b.synced; a.open = b.open; \
    a.header = b.header; a.slots = b.slots; COPY_TAGS(a.tag, b.tag)
#if PAGES == 3
#define COPY_TAGS(a, b) a[0] = b[0]; a[1] = b[1]; a[2] = b[2]
#define SAME_TAGS(a, b) (a[0] == b[0] && a[1] == b[1] && a[2] == b[2])
#else
#define COPY_TAGS(a, b) a[0] = b[0]; a[1] = b[1]
#define SAME_TAGS(a, b) (a[0] == b[0] && a[1] == b[1])
#endif
#define FORGET_MANIFEST(a) a.whole = false; a.gen = 0; a.salt = 0; a.synced = 0; a.open = false; a.header = 0; \
    a.slots = 0; COPY_TAGS(a.tag, zero)
#define SAME_ROOT(a, b) (a.slots == b.slots && SAME_TAGS(a.tag, b.tag))

/* Commits first + 1 ... first + count of one session, sealed under one salt. */
typedef Log { byte salt; byte maker; byte first; byte count; bool bad };
#define COPY_LOG(a, b) a.salt = b.salt; a.maker = b.maker; a.first = b.first; a.count = b.count; a.bad = b.bad

typedef Pin { byte gen; byte seen; byte header };
#define COPY_PIN(a, b) a.gen = b.gen; a.seen = b.seen; a.header = b.header

/* The disk: V as a program sees it, D what a power cut leaves for certain. */
byte pageV[PAGES], pageD[PAGES];
Log logV, logD;
Manifest manV[2], manD[2];
bool renamed[2], unsynced;          /* not on disk: the name of a manifest; the content of the second */
byte headV[2], headD[2];
Pin pinV, pinD;
#ifndef ADVERSARY
byte leafV[6], leafD[6];            /* 2 slots x 2 tags, then 2 slots x 1 */
byte rootV[8], rootD[8];            /* 2 slots x (3 tags and the leaves' slots) */
bool deaf;                          /* a sync of the map has failed: what it was to write stays in memory alone */
bool failed;
#define LEAF(l, s) (4 * (l) + (2 - (l)) * (s))
#endif

/* What was made: what each commit wrote, and what each session found. */
byte wrote[8 * SESSIONS + 8];
byte base[SESSIONS + 1];            /* the version that the session found */
byte saltCount;

/* The program's memory. */
byte session, gen, header, indexed; /* indexed: the newest header that the index knows, 0 without one */
Manifest m;
bool both, fresh;

/* What was told to the owner. */
byte acknowledged, acknowledgedHeader;

byte cuts, kills, rots, checkpoints;
bool rotten, attacked, withX;
byte state;                         /* the version of the state that was found */

byte i, j, v, w, g, s, k;
Manifest n;                         /* the next that is vouched for */
#define FORGET v = 0; w = 0; g = 0; s = 0

/* What is claimed; a counterexample names one of these. */
bool opens_after_every_crash = true;
bool keeps_every_acknowledged_commit = true;
bool reads_one_state = true;
bool never_older_than_seen = true;
bool removed_credential_stays_out = true;
bool mends_upwards = true;
bool keeps_acknowledged_header = true;

/* Who made generation `g` of the history that ends with `v`: w. */
#define MAKER_OF(v, g) \
    w = MAKER(v); \
    do \
    :: w > 0 && (g) <= GEN(base[w]) -> w = MAKER(base[w]) \
    :: else -> break \
    od

/* The version of page i in the state `v`: into s. */
#define EXPECTED(v) \
    g = GEN(v); s = 0; \
    do \
    :: g == 0 -> break \
    :: else -> \
        MAKER_OF(v, g); \
        if \
        :: PAGES_OF(WRITTEN(w, g)) & (1 << i) -> s = VERSION(g, w); break \
        :: else -> g-- \
        fi \
    od

/* The last commit of the history that ends with `v` that recorded a header, or is an entry: g; 0 without one. */
#define LAST(v, what) \
    g = GEN(v); \
    do \
    :: g == 0 -> break \
    :: else -> MAKER_OF(v, g); if :: what(WRITTEN(w, g)) -> break :: else -> g-- fi \
    od
#define RECORDS(x) (HEADER_OF(x) != 0)
#define IS_ENTRY(x) (HEADER_OF(x) == 0)

/* The newest version of page i in the log: into s; 255 where there is none. */
#define IN_LOG \
    g = logV.first + logV.count; s = 255; \
    do \
    :: g == logV.first -> break \
    :: else -> \
        if \
        :: PAGES_OF(WRITTEN(logV.maker, g)) & (1 << i) -> s = VERSION(g, logV.maker); break \
        :: else -> g-- \
        fi \
    od

#if CUTS + KILLS == 0
#define POINT skip
#else
#define POINT \
    if \
    :: cuts < CUTS -> cuts++; goto cut \
    :: kills < KILLS -> kills++; goto killed \
    :: true \
    fi
#endif

#ifdef ADVERSARY
/* What the adversary has kept of each: chosen when it is written, so any state that was there. */
Manifest keptM;
Log keptL;
byte keptP[PAGES];
byte keptH;
bool keptLog;
/* A clone's original, while the clone is in use. */
#ifdef CLONE
byte clone;
#else
#define clone 0
#endif
Manifest restM[2];
Log restL;
byte restP[PAGES], restH[2];
Pin restPin;
byte restAcknowledged;
#endif

inline keepManifest(c) {
    skip;
#ifdef ADVERSARY
    if :: !attacked -> d_step { COPY(keptM, manV[c]) } :: true fi
#endif
}

inline syncFolder() {
    d_step {
        if :: renamed[0] -> COPY(manD[0], manV[0]); renamed[0] = false :: else fi;
        if :: renamed[1] && !unsynced -> COPY(manD[1], manV[1]); renamed[1] = false :: else fi;
        headD[0] = headV[0]; headD[1] = headV[1]
    }
}

/* Whatever lies unsynced under a name that is about to be written over may be on disk by now. */
inline settleManifest(c) {
    if
    :: renamed[c] -> d_step { COPY(manD[c], manV[c]) }
    :: renamed[c] && c == 1 && unsynced -> manD[c].whole = false
    :: true
    fi
}

inline replaceManifest(c) {         /* by n; durable at its end */
    settleManifest(c);
    d_step { COPY(manV[c], n); renamed[c] = true; if :: c == 1 -> unsynced = false :: else fi };
    keepManifest(c);
    POINT;
    syncFolder();
    POINT
}

inline layManifest() {              /* the second, without waiting */
    settleManifest(1);
    d_step { COPY(manV[1], n); renamed[1] = true; unsynced = true };
    keepManifest(1);
    POINT
}

/* n becomes what is vouched for. */
inline vouch() {
    n.header = header;
#ifdef WITHOUT_FIRST_BEFORE_SECOND
    /* Both at once: neither is on disk for certain while the other is written. */
    settleManifest(0); settleManifest(1);
    d_step { COPY(manV[0], n); COPY(manV[1], n); renamed[0] = true; renamed[1] = true; unsynced = true };
    manD[0].whole = false; manD[1].whole = false;
    POINT;
    d_step { unsynced = false };
    syncFolder();
    POINT;
#else
    replaceManifest(0);
    replaceManifest(1);
#endif
    d_step { COPY(m, n) }
}

inline recordPin() {
#ifdef PINLESS
    skip
#else
    d_step {
        pinV.gen = (m.gen > pinV.gen -> m.gen : pinV.gen);
        v = VERSION(gen, session);
        LAST(v, IS_ENTRY);
        pinV.seen = (g > 0 -> VERSION(g, w) : 0);
        pinV.header = header;
        FORGET
    };
    POINT;
    d_step { COPY_PIN(pinD, pinV) };
    POINT
#endif
}

inline writePage() {                /* page i, version v */
    if
    :: pageV[i] != pageD[i] -> pageD[i] = pageV[i]
    :: pageV[i] != pageD[i] -> pageD[i] = TORN
    :: true
    fi;
    pageV[i] = TAG(v, session);
#ifdef ADVERSARY
    if :: !attacked -> keptP[i] = pageV[i] :: true fi;
#endif
}

inline syncPages() { d_step { COPY_TAGS(pageD, pageV) } }

#ifndef ADVERSARY
inline syncMap() {
    if
    :: true ->
        d_step {
            if
            :: deaf
            :: else ->
                i = 0; do :: i < 6 -> leafD[i] = leafV[i]; i++ :: else -> break od;
                i = 0; do :: i < 8 -> rootD[i] = rootV[i]; i++ :: else -> break od; i = 0
            fi
        }
#ifdef FAILING_SYNC
    :: !failed -> failed = true; deaf = true;
#ifndef WITHOUT_END_AFTER_FAILED_SYNC
        goto refused;               /* nothing more is written in this session */
#endif
#endif
    fi
}

inline forgetMap() {
    d_step {
        deaf = false; k = 0;
        i = 0; do :: i < 6 -> leafV[i] = leafD[i]; i++ :: else -> break od;
        i = 0; do :: i < 8 -> rootV[i] = rootD[i]; i++ :: else -> break od; i = 0
    }
}

#define SETTLE_LEAF(at, c) \
    if \
    :: leafV[at] != leafD[at] -> leafD[at] = leafV[at]; if :: c == 2 -> leafD[at + 1] = leafV[at + 1] :: else fi \
    :: leafV[at] != leafD[at] -> leafD[at] = TORN; if :: c == 2 -> leafD[at + 1] = TORN :: else fi \
    :: true \
    fi

#define WRITE_LEAF(l, at) \
    leafV[at] = pageV[2 * l]; if :: l == 0 -> leafV[at + 1] = pageV[1] :: else fi

#ifdef WITHOUT_OTHER_SLOT
#define OTHER(l) ((m.slots >> l) & 1)
#else
#ifdef WITHOUT_FRESH_ENDED
/* What was written once in this session counts as free to be written again. */
#define OTHER(l) (fresh -> ((m.slots >> l) & 1) : 1 - ((m.slots >> l) & 1))
#else
#define OTHER(l) (1 - ((m.slots >> l) & 1))
#endif
#endif

/* Leaves and root with the tags of pageV into the other slots; n gets their places. Tags of pages that were not
 * written stay those that are vouched for. */
inline writeMap() {
    k = m.slots;
    if
    :: n.tag[0] != m.tag[0] || n.tag[1] != m.tag[1] ->
        j = OTHER(0); SETTLE_LEAF(2 * j, 2);
        d_step { leafV[2 * j] = n.tag[0]; leafV[2 * j + 1] = n.tag[1]; k = (k & 6) | j };
        POINT
    :: else
    fi;
    if
    :: n.tag[2] != m.tag[2] ->
        j = OTHER(1); SETTLE_LEAF(4 + j, 1);
        d_step { leafV[4 + j] = n.tag[2]; k = (k & 5) | (j << 1) };
        POINT
    :: else
    fi;
    j = OTHER(2);
    if
    :: rootV[4 * j] != rootD[4 * j] -> d_step { rootD[4 * j] = rootV[4 * j]; rootD[4 * j + 1] = rootV[4 * j + 1];
        rootD[4 * j + 2] = rootV[4 * j + 2]; rootD[4 * j + 3] = rootV[4 * j + 3] }
    :: rootV[4 * j] != rootD[4 * j] -> rootD[4 * j] = TORN
    :: true
    fi;
    d_step {
        k = (k & 3) | (j << 2);
        rootV[4 * j] = n.tag[0]; rootV[4 * j + 1] = n.tag[1]; rootV[4 * j + 2] = n.tag[2]; rootV[4 * j + 3] = k & 3;
        n.slots = k; fresh = true; k = 0; j = 0
    };
    POINT
}
#endif

inline syncLog() { d_step { COPY_LOG(logD, logV) } }

/* Pages, map, manifest, and only then the log is emptied. */
inline checkpoint() {
    syncLog();
    POINT;
#ifdef WITHOUT_LOG_KEPT
    logV.count = 0; POINT; syncLog(); POINT;
#endif
    d_step { COPY(n, m) };
    i = 0;
    do
    :: i < PAGES ->
        d_step { IN_LOG; v = s };
        if :: v != 255 -> writePage(); n.tag[i] = pageV[i] :: else fi;
        i++
    :: else -> d_step { i = 0; FORGET }; break
    od;
    POINT;
#ifndef WITHOUT_PAGES_SYNCED
    syncPages();
    POINT;
#endif
    d_step {
#ifndef WITHOUT_GENERATION_WITH_ROOT
        n.gen = gen;
#endif
        n.synced = 0
    };
#ifndef ADVERSARY
#ifndef WITHOUT_BOTH_CARRY_ROOT
    if
    :: !both -> atomic { d_step { COPY_TAGS(spare, n.tag); k = n.gen; COPY(n, m) } }; vouch(); both = true;
        d_step { COPY_TAGS(n.tag, spare); n.gen = gen; n.synced = 0; COPY_TAGS(spare, zero) }
    :: else
    fi;
#endif
    writeMap();
#ifndef WITHOUT_MAP_SYNCED
    syncMap();
    POINT;
#endif
#endif
#ifdef WITHOUT_ROOT_BEFORE_LOG
    logV.count = 0; POINT; syncLog(); POINT;
    vouch();
#else
    vouch();
    logV.count = 0;
    POINT;
#ifndef WITHOUT_LOG_SYNCED
    syncLog();
    POINT;
#endif
#endif
    both = true
}

byte spare[PAGES], zero[PAGES];

inline startNewLog(isOpen) {
#ifdef WITHOUT_SALT_AFTER_LOG
    /* The new salt is vouched for while the log still has frames. */
    d_step { saltCount++; COPY(n, m); n.salt = saltCount; n.synced = 0; n.gen = gen; n.open = true };
    vouch();
#endif
    if
    :: logV.count > 0 -> checkpoint()
    :: else ->
        /* Also one that is seen empty: a program that was killed may have cut it and not waited for the disk. */
#ifndef WITHOUT_LOG_SYNCED
        syncLog();
        POINT
#endif
    fi;
    d_step {
        COPY(n, m);
#ifndef WITHOUT_SALT_AFTER_LOG
#ifndef WITHOUT_NEW_SALT
        saltCount++; n.salt = saltCount;
#endif
#endif
        n.gen = gen; n.synced = 0; n.open = isOpen
    };
    vouch();
    d_step {
        both = true;
        logV.salt = m.salt; logV.maker = session; logV.first = gen; logV.count = 0
    }
}

inline commit(more, recorded) {
    d_step {
        gen++; WRITTEN(session, gen) = 1 | more | (recorded << 3);
        logV.count++; logV.salt = m.salt; logV.maker = session
    };
#ifdef ADVERSARY
    if :: !attacked -> d_step { COPY_LOG(keptL, logV); keptLog = true } :: true fi;
#endif
    POINT;
#ifndef WITHOUT_LOG_SYNC_AT_COMMIT
    syncLog();
#endif
    acknowledged = VERSION(gen, session);
    POINT
}

inline recordProgress() {
    d_step { COPY(n, m); n.gen = gen; n.synced = logV.count; n.header = header };
    replaceManifest(0);
    layManifest();
    d_step { COPY(m, n) };
    recordPin()
}

inline replaceHeader(c, h) {
    headV[c] = h;
#ifdef ADVERSARY
    if :: !attacked -> keptH = h :: true fi;
#endif
    POINT;
    syncFolder();
    POINT
}

inline recordInIndex() { commit(2, header); indexed = header }

/* The header, the index, the manifest, the pin. Names of slots are commits as a note's. */
inline changeHeader() {
    if
    :: next = HEADER(COUNTER(header) + 1, session, 0)
#ifdef ADVERSARY
    :: OPENS_X(header) -> next = HEADER(COUNTER(header) + 1, session, 1)
#endif
    fi;
    replaceHeader(0, next);
    replaceHeader(1, next);
    header = next; next = 0;
    recordInIndex();
    d_step { COPY(n, m); n.gen = gen; n.synced = logV.count };
    vouch();
    recordPin();
    acknowledgedHeader = header
}
byte next;

#ifdef ADVERSARY
#define REFUSE if :: attacked -> goto over :: else -> opens_after_every_crash = false; assert(opens_after_every_crash) fi
#define REFUSE_OLDER REFUSE
#else
#define REFUSE opens_after_every_crash = false; assert(opens_after_every_crash)
/* One copy of two was lost: the other may be older than the pin, and the owner is asked (docs/decisions/0024). */
#define REFUSE_OLDER if :: rotten -> goto over :: else -> REFUSE fi
#endif

active proctype vault() {
    d_step {
        manV[0].whole = true; manV[1].whole = true; manD[0].whole = true; manD[1].whole = true;
        header = HEADER(1, 0, 1);
        manV[0].header = header; manV[1].header = header; manD[0].header = header; manD[1].header = header;
        headV[0] = header; headV[1] = header; headD[0] = header; headD[1] = header;
#ifndef PINLESS
        pinV.header = header; pinD.header = header;
#endif
        acknowledgedHeader = header
#ifdef ADVERSARY
        ; COPY(keptM, manV[0]); keptH = header
#endif
    };
#ifdef CLONE
    goto rest;
#endif

boot:
    atomic {
    if :: session == SESSIONS -> goto over :: else fi;
    /* All that a program had in memory is gone. */
    d_step {
        session++; gen = 0; header = 0; indexed = 0; both = false; fresh = false; next = 0; k = 0; checkpoints = 0;
        FORGET_MANIFEST(n); COPY_TAGS(spare, zero); COPY(m, n)
    };
#ifndef ADVERSARY
    /* What a failed sync was to write may be gone from the system's memory, too. */
    if :: deaf -> forgetMap() :: else fi;
#endif
#ifndef WITHOUT_FOLDER_SYNCED
    syncFolder();
    POINT;
#endif
    /* One copy of what lies twice may be unreadable. */
    rotten = false;
    if
    :: rots < ROTS && !renamed[0] && !renamed[1] ->
        rots++; rotten = true;
        if
        :: manV[0].whole = false; manD[0].whole = false
        :: manV[1].whole = false; manD[1].whole = false
        :: headV[0] = 0; headD[0] = 0
        :: headV[1] = 0; headD[1] = 0
        fi
    :: true
    fi;

    /* The header: the highest of those that are authentic. */
#ifdef WITHOUT_HIGHEST_HEADER
    if :: headV[0] -> header = headV[0] :: headV[1] -> header = headV[1] fi;
#else
    header = (COUNTER(headV[0]) >= COUNTER(headV[1]) -> headV[0] : headV[1]);
#endif
    if :: header == 0 -> REFUSE :: else fi;
#ifndef WITHOUT_PINNED_HEADER
    if
    :: COUNTER(header) < COUNTER(pinV.header) -> REFUSE_OLDER
    :: COUNTER(header) == COUNTER(pinV.header) && header != pinV.header -> REFUSE
    :: else
    fi;
#endif
    withX = false;
#ifdef ADVERSARY
    if :: OPENS_X(header) -> withX = true :: true fi;
#endif

    /* The manifest: the higher generation, of two with the same the first. */
    if
    :: manV[0].whole && (!manV[1].whole || manV[0].gen >= manV[1].gen) -> d_step { COPY(m, manV[0]) }
    :: manV[1].whole && (!manV[0].whole || manV[1].gen > manV[0].gen) -> d_step { COPY(m, manV[1]) }
    :: !manV[0].whole && !manV[1].whole -> REFUSE_OLDER
    fi;
    both = manV[0].whole && manV[1].whole && SAME_ROOT(manV[0], manV[1]);
    if :: m.gen < pinV.gen -> REFUSE_OLDER :: else fi;
#ifndef WITHOUT_HEADER_IN_MANIFEST
    if
    :: IS_OLDER(header, m.header) -> REFUSE
#ifndef WITHOUT_BOTH_MANIFESTS_HEADERS
    :: manV[0].whole && IS_OLDER(header, manV[0].header) -> REFUSE
    :: manV[1].whole && IS_OLDER(header, manV[1].header) -> REFUSE
#endif
    :: else
    fi;
#endif
    /* The log. */
    if
    :: logV.count > 0 && (logV.bad || logV.salt != m.salt) -> REFUSE
    :: logV.count > 0 && logV.count < m.synced -> REFUSE
    :: logV.count > 0 && !m.open -> REFUSE
    :: else
    fi;
    /* Each page: the log's, or the file's with the tag that the map says. */
#ifndef ADVERSARY
    d_step {
        j = (m.slots >> 2) & 1; v = 1;
        if
        :: rootV[4 * j] == m.tag[0] && rootV[4 * j + 1] == m.tag[1] && rootV[4 * j + 2] == m.tag[2] && rootV[4 * j + 3] == (m.slots & 3)
        :: else -> v = 0
        fi;
        j = m.slots & 1;
        if :: leafV[2 * j] == m.tag[0] && leafV[2 * j + 1] == m.tag[1] :: else -> v = 0 fi;
        j = (m.slots >> 1) & 1;
        if :: leafV[4 + j] == m.tag[2] :: else -> v = 0 fi;
        j = 0
    };
    if :: v == 0 -> REFUSE :: else fi;
#endif
    state = 255;
    i = 0;
    do
    :: i < PAGES ->
        d_step { IN_LOG };
        if
        :: s == 255 && pageV[i] == TORN -> REFUSE
#ifndef WITHOUT_MAP
        :: s == 255 && pageV[i] != TORN && pageV[i] != m.tag[i] -> REFUSE
        :: s == 255 && pageV[i] != TORN && pageV[i] == m.tag[i] -> s = SEALED(pageV[i])
#else
        :: s == 255 && pageV[i] != TORN -> s = SEALED(pageV[i])
#endif
        :: else
        fi;
        if
        :: i == 0 -> state = s
        :: i == 1 -> d_step { v = s; LAST(v, RECORDS); indexed = (g > 0 -> HEADER_OF(WRITTEN(w, g)) : 0) }
        :: else
        fi;
        /* It must be the page's version in the state that page 0 speaks of. */
        d_step { v = s; EXPECTED(state) };
        if :: v != s -> reads_one_state = false :: else fi;
        i++
    :: else -> i = 0; break
    od;
    if :: GEN(state) < m.gen -> REFUSE :: else fi;
#ifndef WITHOUT_CHAIN_IN_PIN
    d_step { g = GEN(pinV.seen); MAKER_OF(state, g) };
    if
    :: g > GEN(state) -> REFUSE_OLDER
    :: g > 0 && g <= GEN(state) && w != MAKER(pinV.seen) -> REFUSE
    :: else
    fi;
#endif
#ifndef WITHOUT_HEADER_IN_INDEX
    if :: IS_OLDER(header, indexed) -> REFUSE :: else fi;
#endif
#ifdef ADVERSARY
#ifdef CLONE
/* Of two vaults' headers only those that are no later than what is known are kept out. */
#define KEEPS_X_OUT(h) (h && !OPENS_X(h) && COUNTER(header) <= COUNTER(h))
#else
#define KEEPS_X_OUT(h) (h && !OPENS_X(h))
#endif
    v = 0;
    if
    :: KEEPS_X_OUT(indexed) || KEEPS_X_OUT(pinV.header) || KEEPS_X_OUT(m.header) -> v = 1
#ifndef CLONE
    /* Of a clone's manifest in the place of the second nobody says that it speaks of this vault. */
    :: manV[0].whole && KEEPS_X_OUT(manV[0].header) -> v = 1
    :: manV[1].whole && KEEPS_X_OUT(manV[1].header) -> v = 1
#endif
    :: else
    fi;
    if
    :: withX && v -> removed_credential_stays_out = false; assert(removed_credential_stays_out)
    :: else
    fi;
#endif
    /* It is open. */
    assert(reads_one_state);
    d_step { g = GEN(pinV.seen); MAKER_OF(state, g) };
    if
    :: g > GEN(state) || (g > 0 && w != MAKER(pinV.seen)) || COUNTER(header) < COUNTER(pinV.header) ->
        if :: !rotten -> never_older_than_seen = false; assert(never_older_than_seen) :: else fi
    :: else
    fi;
    if
    :: !attacked ->
        d_step { g = GEN(acknowledged); MAKER_OF(state, g) };
        if
        :: g > GEN(state) || (g > 0 && w != MAKER(acknowledged)) ->
            keeps_every_acknowledged_commit = false; assert(keeps_every_acknowledged_commit)
        :: else
        fi;
        if
        :: COUNTER(header) < COUNTER(acknowledgedHeader) ->
            keeps_acknowledged_header = false; assert(keeps_acknowledged_header)
        :: else
        fi
    :: else
    fi;
    d_step {
        base[session] = state; gen = GEN(state); acknowledged = state; acknowledgedHeader = header; state = 0;
        withX = false; i = 0; j = 0; k = 0; FORGET
    };
    /* Mending. */
    do
    :: k < 2 ->
        if
        :: headV[k] != header ->
            if :: COUNTER(headV[k]) > COUNTER(header) -> mends_upwards = false; assert(mends_upwards) :: else fi;
            if :: !attacked -> replaceHeader(k, header) :: else fi
        :: else
        fi;
        k++
    :: else -> k = 0; break
    od;
    if :: attacked -> goto over :: else fi
    };
    atomic { startNewLog(true) };
    atomic {
    /* A crash came between the header and what follows it. */
    if
    :: COUNTER(header) > COUNTER(indexed) && COUNTER(header) > 1 -> recordInIndex(); startNewLog(true)
    :: else
    fi;
    recordPin()
    };

    do
    :: atomic { gen < COMMITS -> if :: commit(0, 0) :: commit(2, 0) :: PAGES == 3 -> commit(4, 0) fi }
    :: atomic { gen > m.gen -> recordProgress() }
    :: atomic { gen > m.gen && checkpoints < CHECKPOINTS -> checkpoints++; startNewLog(true); recordPin() }
    :: atomic { COUNTER(header) < HEADERS -> changeHeader() }
    :: break
    od;
    atomic { startNewLog(false); recordPin() };
    goto rest;

refused:
    /* After a failed sync: the log is whole, and nothing is written until the next opening. */
    goto killed;

cut:
    /* Each write that was not waited for is there or is not. */
    atomic {
        i = 0;
        do
        :: i < PAGES ->
            if
            :: pageV[i] != pageD[i] -> pageD[i] = pageV[i]
            :: pageV[i] != pageD[i] -> pageD[i] = TORN
            :: true
            fi;
            pageV[i] = pageD[i]; i++
        :: else -> i = 0; break
        od;
        if
        :: logV.salt != logD.salt && logV.count > 0 && logD.count > 0 -> logD.bad = true
        :: d_step { COPY_LOG(logD, logV) }
        :: true
        fi;
        d_step { COPY_LOG(logV, logD) };
        settleManifest(0); settleManifest(1);
        d_step { COPY(manV[0], manD[0]); COPY(manV[1], manD[1]); renamed[0] = false; renamed[1] = false; unsynced = false };
        if :: headD[0] = headV[0] :: true fi;
        if :: headD[1] = headV[1] :: true fi;
        if :: d_step { COPY_PIN(pinD, pinV) } :: true fi;
        d_step { headV[0] = headD[0]; headV[1] = headD[1]; COPY_PIN(pinV, pinD) };
#ifndef ADVERSARY
        if :: deaf -> k = 1 :: else -> k = 0 fi;
        if
        :: k == 0 ->
            SETTLE_LEAF(0, 2); SETTLE_LEAF(2, 2); SETTLE_LEAF(4, 1); SETTLE_LEAF(5, 1);
            if :: d_step { rootD[0] = rootV[0]; rootD[1] = rootV[1]; rootD[2] = rootV[2]; rootD[3] = rootV[3] }
            :: rootV[0] != rootD[0] -> rootD[0] = TORN :: true fi;
            if :: d_step { rootD[4] = rootV[4]; rootD[5] = rootV[5]; rootD[6] = rootV[6]; rootD[7] = rootV[7] }
            :: rootV[4] != rootD[4] -> rootD[4] = TORN :: true fi
        :: else
        fi;
        forgetMap()
#endif
    };

killed:
    goto rest;

rest:
    atomic {
#ifdef ADVERSARY
#ifdef CLONE
    if
    :: clone == 0 && !renamed[0] && !renamed[1] ->
        d_step {
            clone = 1;
            COPY(restM[0], manV[0]); COPY(restM[1], manV[1]); COPY_LOG(restL, logV); COPY_TAGS(restP, pageV);
            restH[0] = headV[0]; restH[1] = headV[1]; COPY_PIN(restPin, pinV); restAcknowledged = acknowledged
        }
    :: clone == 1 && !renamed[0] && !renamed[1] ->
        d_step {
            clone = 2;
            COPY(manV[0], restM[0]); COPY(manV[1], restM[1]); COPY_LOG(logV, restL); COPY_TAGS(pageV, restP);
            headV[0] = restH[0]; headV[1] = restH[1]; COPY_PIN(pinV, restPin);
            COPY(manD[0], restM[0]); COPY(manD[1], restM[1]); COPY_LOG(logD, restL); COPY_TAGS(pageD, restP);
            headD[0] = restH[0]; headD[1] = restH[1]; COPY_PIN(pinD, restPin);
            acknowledged = restAcknowledged; acknowledgedHeader = restH[0];
            COPY(restM[0], n); COPY(restM[1], n)
        }
    :: true
    fi;
#endif
    if
    :: !attacked && session < SESSIONS && clone != 1 ->
        attacked = true;
        if :: d_step { COPY(manV[0], keptM); COPY(manD[0], keptM) } :: true fi;
        if :: d_step { COPY(manV[1], keptM); COPY(manD[1], keptM) } :: true fi;
        if :: keptLog -> d_step { COPY_LOG(logV, keptL); COPY_LOG(logD, keptL) } 
           :: d_step { logV.count = 0; logD.count = 0 } :: true fi;
        if :: pageV[0] = keptP[0]; pageD[0] = keptP[0] :: true fi;
        if :: pageV[1] = keptP[1]; pageD[1] = keptP[1] :: true fi;
        if :: headV[0] = keptH; headD[0] = keptH :: true fi;
        if :: headV[1] = keptH; headD[1] = keptH :: true fi;
        /* One opening follows: what no longer counts is forgotten, so that fewer states are told apart. */
        d_step {
            session = SESSIONS - 1; cuts = CUTS; kills = KILLS; gen = 0; acknowledged = 0; acknowledgedHeader = 0;
            FORGET_MANIFEST(n); COPY(m, n); COPY(keptM, n); COPY(restM[0], n); COPY(restM[1], n);
            keptLog = false; keptL.salt = 0; keptL.maker = 0; keptL.first = 0; keptL.count = 0; COPY_LOG(restL, keptL);
            keptP[0] = 0; keptP[1] = 0; keptH = 0; restP[0] = 0; restP[1] = 0; restH[0] = 0; restH[1] = 0;
            restPin.gen = 0; restPin.seen = 0; restPin.header = 0; restAcknowledged = 0
        }
    :: true
    fi;
#endif
    goto boot
    };

over:
    skip
}
