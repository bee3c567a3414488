"""Labels by people of planted reliability, for the tests of reliability."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

SCALE = ("a", "b", "c")
RELIABILITIES = (0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.45)


@dataclass(frozen=True)
class PlantedLabels:
    """`labels`: (person, unit, label). `right`: the right label of each unit. `matrices`: of each
    person, the probability of each label given the right one."""

    labels: list[tuple[str, int, str]]
    right: list[str]
    matrices: dict[str, np.ndarray]

    @property
    def reliabilities(self):
        return {name: matrix[0, 0] for name, matrix in self.matrices.items()}


def one_coin_matrix(reliability):
    n_labels = len(SCALE)
    matrix = np.full((n_labels, n_labels), (1 - reliability) / (n_labels - 1))
    np.fill_diagonal(matrix, reliability)
    return matrix


def planted_labels(matrices=None, n_units=400, per_unit=4, shares=(0.5, 0.3, 0.2), seed=0):
    """Each unit is labeled by `per_unit` of the people, drawn at random. `matrices`: by person;
    by default one-coin matrices of RELIABILITIES."""
    if matrices is None:
        matrices = [one_coin_matrix(reliability) for reliability in RELIABILITIES]
    random = np.random.default_rng(seed)
    names = [f"person {number}" for number in range(len(matrices))]
    right = random.choice(len(shares), n_units, p=shares)
    labels = []
    for unit, truth in enumerate(right):
        for place in random.choice(len(names), per_unit, replace=False):
            label = random.choice(len(SCALE), p=matrices[place][truth])
            labels.append((names[place], unit, SCALE[label]))
    return PlantedLabels(
        labels, [SCALE[truth] for truth in right], dict(zip(names, matrices, strict=True))
    )
