from review.identification.confusable import confusable_clips

TEXTS = {
    1: "A red boat crosses the lake.",
    2: "A red boat crosses the river.",
    3: "Two people bake bread in a kitchen.",
    4: "A red boat lies on the lake.",
    5: "Two people bake a cake in a kitchen.",
}


def test_a_clip_comes_first_and_then_those_with_the_most_similar_texts():
    nearest = confusable_clips(TEXTS, 2)
    assert {clip: clips[0] for clip, clips in nearest.items()} == {clip: clip for clip in TEXTS}
    assert set(nearest[1][1:]) == {2, 4}
    assert nearest[3][1] == 5
    assert {len(clips) for clips in nearest.values()} == {3}


def test_fewer_clips_than_asked_for_are_all_there_are_and_ties_break_by_key():
    same = dict.fromkeys([7, 3, 5], "A red boat.")
    assert confusable_clips(same, 9) == {3: [3, 5, 7], 5: [5, 3, 7], 7: [7, 3, 5]}


def test_a_text_without_words_has_neighbors_too():
    assert confusable_clips({1: "…", 2: "A boat.", 3: "A lake."}, 1)[1] == [1, 2]
