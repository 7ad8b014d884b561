"""Make the typefaces of the pages.

    python tools/fonts/subset.py FOLDER

FOLDER holds the unpacked packages `@fontsource/source-serif-4` and `@fontsource/source-sans-3` of the npm registry, as
`npm install` leaves them in node_modules. Needs `fonttools` and `brotli`. The SIL Open Font License reserves the name
"Source" for the whole faces, so the parts that we ship have names of their own.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from fontTools import subset  # type: ignore[import-not-found]

OUT = Path(__file__).parents[2] / "src/smallchange/server/web/static/fonts"
FACES = {  # package, weight: our name and file
    ("source-serif-4", 500): ("Small Change Serif", "serif-500.woff2"),
    ("source-sans-3", 400): ("Small Change Sans", "sans-400.woff2"),
    ("source-sans-3", 600): ("Small Change Sans", "sans-600.woff2"),
}
PAIRS = 2  # a kind of lookup
RARE = set(map(ord, "#$*<=>@[\\]^_`{|}~"))
PARTS = {  # suffix of the file: its signs, those of English and German first; `base.css` has the same ranges
    "": ({*range(0x20, 0x7F)} - RARE) | set(map(ord, "\u00a0±·×ÄÖÜßäöü–—‘’‚“”„•…−")),
    "-more": RARE | {*range(0xA1, 0x100), 0x152, 0x153, 0x2032, 0x2033, 0x20AC, 0x2191, 0x2193},
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
        name_IDs=[0, 1, 2, 4, 6, 16],  # the licence lies beside the files
    )
    for (package, weight), (name, file) in FACES.items():
        for suffix, signs in PARTS.items():
            source = folder / f"@fontsource/{package}/files/{package}-latin-{weight}-normal.woff2"
            font = subset.load_font(str(source), options)
            maker = subset.Subsetter(options)
            maker.populate(unicodes=signs - PARTS[""] if suffix else signs)
            maker.subset(font)
            drop_small_kerning(font)
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


def drop_small_kerning(font: Any) -> None:
    """Leave out what brings two signs closer or apart by less than a hundredth of their size."""
    least = font["head"].unitsPerEm / 100
    for lookup in font["GPOS"].table.LookupList.Lookup:
        for part in (getattr(one, "ExtSubTable", one) for one in lookup.SubTable):
            for pairs in part.PairSet if part.LookupType == PAIRS and part.Format == 1 else ():
                pairs.PairValueRecord = [
                    one for one in pairs.PairValueRecord if abs(one.Value1.XAdvance) >= least
                ]
            for row in part.Class1Record if part.LookupType == PAIRS and part.Format == 2 else ():
                for pair in row.Class2Record:
                    if pair.Value1 and abs(pair.Value1.XAdvance) < least:
                        pair.Value1.XAdvance = 0


if __name__ == "__main__":
    main(Path(sys.argv[1]))
