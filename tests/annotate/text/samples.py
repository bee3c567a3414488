"""Write-ups of one imagined clip, as long as real ones, by two people who never met."""

ANNA = {
    "overview": "This video shows a man slicing a watermelon on a kitchen table.",
    "objects": (
        "The man wears a red T-shirt, a grey apron and a silver watch on his left wrist. "
        "On the wooden cutting board lies one large, dark green watermelon with pale stripes. "
        "Beside the board there are two white bowls and a long kitchen knife with a black handle. "
        "Behind him, a window with yellow curtains is on the left, and three copper pans hang on "
        "the wall. A watermark reading “Summer Kitchen” is in the top right corner of the frame."
    ),
    "actions": (
        "First, the man turns the watermelon clockwise with both hands and taps it twice. "
        "He then presses the knife into the middle and splits the fruit in one forceful cut. "
        "After that, he lays one half face down, slices it quickly from left to right, and pushes "
        "the pieces aside with the back of the blade. He wipes the knife before he lifts one "
        "slice, shows it to the camera and takes a small bite. Meanwhile, the camera slowly zooms "
        "in on the board, and finally it tilts up to his face while he nods."
    ),
    "misc": (
        "The video is filmed from a third-person perspective at about chest height. "
        "The cuts are quick and confident, and the light is warm. "
        "The overall mood is cheerful and relaxed."
    ),
}

BEN = {
    "overview": "This video shows a man who cuts a watermelon in a bright kitchen.",
    "objects": (
        "The man is wearing a blue T-shirt under a gray apron, with a silver watch on his right "
        "wrist. A big dark green watermelon lies on a wooden cutting board. "
        "There are three white bowls next to the board, and a knife with a black handle. "
        "In the background one can see a window with yellow curtains and some copper pans."
    ),
    "actions": (
        "The man turns the watermelon counter-clockwise with both hands and knocks on it 2 times. "
        "Then he pushes the knife into the middle and splits the fruit with one strong cut. "
        "He lays one half face down and slices it quickly from left to right. "
        "He lifts one slice, shows it to the camera and takes a bite before he wipes the knife. "
        "A child’s hand reaches in from below and steals a piece."
    ),
    "misc": (
        "The scene is shot from a third-person perspective. "
        "It looks cheerful and tidy, like a summer advertisement."
    ),
}
