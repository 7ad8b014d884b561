"""Calibration: measurements of a game's bots that are written into the game's folder.

| file in the folder | written by | by the command |
| --- | --- | --- |
| levels.json | `levels`, `hints`, `given_away` | `python -m research calibrate GAME levels`, `.. hints`, `.. given` |
| baseline_scores.json | `baseline` | `python -m research calibrate GAME baseline` |
| deal_bands.json | `deals` | `python -m research calibrate GAME deals` |
| win_rates.json | `win_rates` | `python -m research calibrate GAME odds EXPERIMENT` |
"""

from smallchange.core.measurements import BASELINE_FILE, WIN_RATES_FILE

__all__ = ["BASELINE_FILE", "WIN_RATES_FILE"]
