"""Make crowd_kit.json with crowd-kit 1.4.1, which is too heavy to install for tests:

pip install crowd-kit==1.4.1
PYTHONPATH=. python tests/metrics/golden/make_crowd_kit.py
"""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
from crowdkit.aggregation import DawidSkene, OneCoinDawidSkene

from tests.metrics.planted_labels import SCALE, planted_labels

SOURCE = (
    "crowd-kit {}: DawidSkene and OneCoinDawidSkene, 2000 iterations, of planted_labels(); made by "
    "make_crowd_kit.py"
)
ITERATIONS = 2000


def rounded(values):
    return np.round(np.asarray(values, dtype=float), 9).tolist()


def main():
    planted = planted_labels()
    data = pd.DataFrame(planted.labels, columns=["worker", "task", "label"])
    full = DawidSkene(n_iter=ITERATIONS, tol=-1).fit(data)
    coin = OneCoinDawidSkene(n_iter=ITERATIONS, tol=-1).fit(data)
    people = sorted(planted.matrices)
    units = sorted(set(data.task))
    golden = {
        "source": SOURCE.format(version("crowd-kit")),
        "dawid_skene": {
            "shares": rounded([full.priors_[label] for label in SCALE]),
            "probabilities": rounded(full.probas_.loc[units, list(SCALE)]),
            "matrices": {
                person: [
                    rounded([full.errors_.loc[(person, answer), right] for answer in SCALE])
                    for right in SCALE
                ]
                for person in people
            },
        },
        "one_coin": {
            "shares": rounded([coin.priors_[label] for label in SCALE]),
            "reliabilities": {person: rounded(coin.skills_[person]) for person in people},
        },
    }
    path = Path(__file__).parent / "crowd_kit.json"
    path.write_text(json.dumps(golden) + "\n")


if __name__ == "__main__":
    main()
