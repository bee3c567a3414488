"""Names that a release can't give to a file."""

from review.releases.gates.shared import is_safe_name


def test_a_nameis_safe_name_only_if_every_system_can_store_it():
    unsafe = ["CON", "aux", "nul.tar", "LPT9", "com¹", "clip.", "clip ", "a:b", ".dive", "a\nb"]
    assert [name for name in unsafe if is_safe_name(name)] == []
    assert all(map(is_safe_name, ["dive", "console", "aux_2", "a.con", "Tür 1"]))
