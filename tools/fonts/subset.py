"""Make the typefaces of the pages.

    python tools/fonts/subset.py FOLDER

FOLDER holds the unpacked packages `@fontsource/source-serif-4` and `@fontsource/source-sans-3` of the npm registry, as
`npm install` leaves them in node_modules. Needs `fonttools` and `brotli`. The SIL Open Font License reserves the name
"Source" for the whole faces, so the parts that we ship have names of their own.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools import subset  # type: ignore[import-not-found]

OUT = Path(__file__).parents[2] / "src/smallchange/server/web/static/fonts"
FACES = {  # package, weight: our name and file
    ("source-serif-4", 500): ("Small Change Serif", "serif-500.woff2"),
    ("source-sans-3", 400): ("Small Change Sans", "sans-400.woff2"),
    ("source-sans-3", 600): ("Small Change Sans", "sans-600.woff2"),
}
PARTS = {  # suffix of the file: its signs, those of English and German first; `fonts.css` has the same ranges
    "": (
        *range(0x20, 0x7F),
        *map(ord, "\u00a0\u00a7\u00b1\u00b7\u00d7ÄÖÜßäöü–—‘’‚“”„•…−"),
        0x2191,
        0x2193,
    ),
    "-more": (*range(0xA1, 0x100), 0x152, 0x153, 0x2032, 0x2033, 0x20AC),
}
FAMILY_IDS, FULL_NAME_ID, POSTSCRIPT_ID = (1, 16), 4, 6  # in the table of names


def main(folder: Path) -> None:
    """Write every face into the static files of the server."""
    OUT.mkdir(exist_ok=True)
    options = subset.Options(
        flavor="woff2",
        hinting=False,
        layout_features=["kern", "liga", "tnum"],
        drop_tables=["BASE", "GDEF", "STAT", "gasp", "DSIG"],
        name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14, 16],
    )
    for (package, weight), (name, file) in FACES.items():
        for suffix, signs in PARTS.items():
            source = folder / f"@fontsource/{package}/files/{package}-latin-{weight}-normal.woff2"
            font = subset.load_font(str(source), options)
            maker = subset.Subsetter(options)
            maker.populate(unicodes=set(signs) - (set(PARTS[""]) if suffix else set()))
            maker.subset(font)
            for record in font["name"].names:
                if record.nameID in FAMILY_IDS:
                    record.string = name
                elif record.nameID == FULL_NAME_ID:
                    record.string = f"{name} {weight}"
                elif record.nameID == POSTSCRIPT_ID:
                    record.string = f"{name.replace(' ', '')}-{weight}"
            subset.save_font(font, str(OUT / file.replace(".", f"{suffix}.")), options)
        licence = (folder / f"@fontsource/{package}/LICENSE").read_text()
        (OUT / f"OFL-{file.split('-')[0]}.txt").write_text(licence)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
