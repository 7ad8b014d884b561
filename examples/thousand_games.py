"""A thousand games of an experiment, the luckiest one of them, and its steps: python thousand_games.py."""

from __future__ import annotations

from pathlib import Path

import smallchange
from smallchange import record
from smallchange.lab.experiment import run
from smallchange.lab.experiment_grid import read

if __name__ == "__main__":
    experiment = read('n = 1_000\npolicies = "greedy"\n[[grid]]\ngame = "solo"\n')
    results = smallchange.read_results(run(experiment, "thousand.parquet", workers=1).results)
    (sample,) = results.samples
    print(f"won {sample.win_rate().p:.1%}, {sample.steps.mean():.1f} steps")
    (best,) = smallchange.kept_matches(results, "best:1")
    Path("best.txt").write_text(record.write(best), encoding="utf-8")
    steps = smallchange.step_table([best])
    print(f"{len(steps)} steps, {max(steps['choices'].to_pylist())} choices at most: {best.ending.en}")
