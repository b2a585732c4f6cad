/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The vault authors
 *
 * The commit of a rotation, from epoch 1 to epoch 2: docs/format.md section 20, steps 2 to 6, and the openings after it.
 *
 * A file's value is the key that it is sealed under and its generation: key 1 is that of epoch 1, keys 2 and 3 are those
 * of a first and a second try of the rotation. V is what a program sees, D what a power cut leaves for certain. Index and
 * log of an epoch are one file here; freshness.pml has what lies between them.
 */
#ifndef COMMITS
#define COMMITS 3
#endif
#ifndef CUTS
#define CUTS 2
#endif
#ifndef KILLS
#define KILLS 1
#endif

#define FILE(k, g) ((k) | ((g) << 2))
#define KEY(f) ((f) & 3)
#define GEN(f) ((f) >> 2)
#define EPOCH(k) ((k) == 1 -> 1 : 2)
#define TORN 128

#define INDEX 0                     /* of epoch 1; then that of epoch 2 */
#define MANIFEST 2                  /* and manifest.2 */
#define NEXT 4                      /* manifest.next and manifest.2.next */
#define HEADER 6                    /* header and header.2 */
#define FILES 8

byte V[FILES], D[FILES];
bool loose[FILES];                  /* its content is not on disk */
byte pinV, pinD;                    /* key and generation */
byte key, gen, m, tries, cuts, kills, i, x;
byte acknowledged;                  /* generation */
byte settled;                       /* the one key that opens from now on; 0 while a header is being replaced */
bool same;                          /* the rotation keeps the password */
bool old;                           /* the password of before is typed */

bool opens_after_every_crash = true;
bool keeps_every_acknowledged_commit = true;
bool one_epoch_opens = true;

#define POINT \
    if \
    :: cuts < CUTS -> cuts++; goto cut \
    :: kills < KILLS -> kills++; goto boot \
    :: true \
    fi

inline syncFolder() {
    d_step { i = 0; do :: i < FILES -> if :: !loose[i] -> D[i] = V[i] :: else fi; i++ :: else -> i = 0; break od }
}

/* What lies unsynced under a name that is about to be written over may be on disk by now. */
inline settle(f) { if :: V[f] != D[f] -> D[f] = V[f] :: V[f] != D[f] && loose[f] -> D[f] = TORN :: true fi }

inline replace(f, value) {
    settle(f);
    d_step { V[f] = value; loose[f] = false };
    POINT;
    syncFolder();
    POINT
}

inline remove(f) { settle(f); d_step { V[f] = 0; loose[f] = false }; POINT }

/* Nothing of another epoch stays; the header first. */
inline discardOthers() {
#ifndef WITHOUT_FOLDER_SYNC_BEFORE_REMOVAL
    syncFolder();
    POINT;
#endif
    remove(NEXT); remove(NEXT + 1); remove(INDEX + 2 - EPOCH(key));
    if :: EPOCH(key) == 1 -> syncFolder() :: true fi
}

inline vouch() { replace(MANIFEST, FILE(key, gen)); replace(MANIFEST + 1, FILE(key, gen)) }

inline recordPin() { pinV = FILE(key, gen); POINT; pinD = pinV; POINT }

inline commit() {
    x = INDEX + EPOCH(key) - 1;
    gen++; V[x] = FILE(key, gen);
    POINT;
    d_step { D[x] = V[x]; acknowledged = gen; x = 0 };
    POINT
}

inline replaceHeaders(k) {
    settled = 0;
    replace(HEADER, FILE(k, 0));
    replace(HEADER + 1, FILE(k, 0))
}

inline rotate() {
    discardOthers();
    tries++;
    /* The copy. Commits may come while it is made; the last pages are copied in the step that commits. */
    settle(1);
    d_step { V[1] = FILE(1 + tries, gen); loose[1] = true };
    POINT;
    if :: gen < COMMITS -> commit(); settle(1); V[1] = FILE(1 + tries, gen) :: true fi;
#ifndef WITHOUT_COPY_SYNCED
    loose[1] = false;
    POINT;
#endif
#ifdef WITHOUT_NEXT_BEFORE_HEADER
    replaceHeaders(1 + tries);
#endif
#ifdef WITHOUT_NAME_OF_ITS_OWN
    replace(MANIFEST, FILE(1 + tries, gen)); replace(MANIFEST + 1, FILE(1 + tries, gen));
#else
    replace(NEXT, FILE(1 + tries, gen)); replace(NEXT + 1, FILE(1 + tries, gen));
#endif
#ifdef WITHOUT_HEADER_BEFORE_REMOVAL
    remove(INDEX);
#endif
#ifndef WITHOUT_NEXT_BEFORE_HEADER
    replaceHeaders(1 + tries);
#endif
    key = 1 + tries;
    recordPin();
    settled = key;
    vouch();
    recordPin();
    discardOthers()
}

active proctype vault() {
    d_step {
        V[0] = FILE(1, 0); V[2] = FILE(1, 0); V[3] = FILE(1, 0); V[6] = FILE(1, 0); V[7] = FILE(1, 0); pinV = FILE(1, 0);
        D[0] = V[0]; D[2] = V[2]; D[3] = V[3]; D[6] = V[6]; D[7] = V[7]; pinD = pinV; settled = 1
    };
    if :: same = true :: true fi;

boot:
    skip;
    d_step { key = 0; gen = 0; m = 0; i = 0; x = 0 };
#ifndef WITHOUT_FOLDER_SYNCED
    syncFolder();
    POINT;
#endif
    if :: !same -> old = true :: old = false fi;

    /* The header with the highest epoch that the pin allows and the password opens. */
try:
    skip;
    d_step {
        i = 0; x = 0;
        do
        :: i < 2 ->
            m = V[HEADER + i];
            if
            :: m == 0 || m == TORN || EPOCH(KEY(m)) < EPOCH(KEY(pinV))
            :: else ->
                x = 1;
                if
                :: (same || (old -> KEY(m) == 1 : KEY(m) > 1)) && KEY(m) > key -> key = KEY(m)
                :: else
                fi
            fi;
            i++
        :: else -> break
        od;
        i = 0; m = 0
    };
    if
    :: x == 0 -> opens_after_every_crash = false; assert(opens_after_every_crash)
    :: x && key == 0 -> old = !old; goto try            /* a wrong password */
    :: else
    fi;
    /* Its manifest, under the name before the commit if need be. */
    d_step {
        m = 255; i = MANIFEST;
        do
        :: i < HEADER && !(i == NEXT && m != 255) ->
            if :: V[i] && V[i] != TORN && KEY(V[i]) == key && (m == 255 || GEN(V[i]) > GEN(m)) -> m = V[i] :: else fi;
            i++
        :: else -> break
        od;
        i = 0; x = INDEX + EPOCH(key) - 1
    };
    if
    :: m == 255 || V[x] == 0 || V[x] == TORN || KEY(V[x]) != key || GEN(V[x]) < GEN(m) -> opens_after_every_crash = false; assert(opens_after_every_crash)
    :: else
    fi;
    if :: KEY(pinV) == key && GEN(m) < GEN(pinV) -> opens_after_every_crash = false; assert(opens_after_every_crash) :: else fi;
    gen = GEN(V[x]);
    if :: gen < acknowledged -> keeps_every_acknowledged_commit = false; assert(keeps_every_acknowledged_commit) :: else fi;
    if :: settled && settled != key -> one_epoch_opens = false; assert(one_epoch_opens) :: else fi;
    x = 0; m = 0;
#ifndef WITHOUT_MENDING_FIRST
    /* The copies of the header first: while one is of the epoch before, that epoch's password still opens it. */
    if :: V[HEADER] != FILE(key, 0) -> replace(HEADER, FILE(key, 0)) :: else fi;
    if :: V[HEADER + 1] != FILE(key, 0) -> replace(HEADER + 1, FILE(key, 0)) :: else fi;
#endif
    D[INDEX + EPOCH(key) - 1] = V[INDEX + EPOCH(key) - 1];      /* the log is synced before anything else */
    acknowledged = gen;
    vouch();
    if :: V[HEADER] != FILE(key, 0) -> replace(HEADER, FILE(key, 0)) :: else fi;
    if :: V[HEADER + 1] != FILE(key, 0) -> replace(HEADER + 1, FILE(key, 0)) :: else fi;
    settled = key;
    discardOthers();
    recordPin();

    do
    :: gen < COMMITS -> commit()
    :: EPOCH(key) == 1 && tries < 2 -> rotate()
    :: true -> break
    od;
    vouch();
    recordPin();
    goto over;

cut:
    /* Each write that was not waited for is there or is not. */
    i = 0;
    do
    :: i < FILES -> settle(i); d_step { V[i] = D[i]; loose[i] = false; i++ }
    :: else -> i = 0; break
    od;
    if :: pinD = pinV :: true fi;
    pinV = pinD;
    goto boot;

over:
    skip
}
