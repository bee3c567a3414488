"""The English word lists of alignment, conflicts and the Stage-II checks.

Lists hold lemmas in alphabetical order; annotate/text/content.py reduces a text's words to the
same stems, so inflections need no entry of their own.
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FUNCTION_WORDS = _words("""
    a about across after again against all almost along also although always am among an and
    another any are aren't around as at away back be because been before being below besides
    between beyond both but by can can't cannot could did didn't do does doesn't doing don't done
    down during each either else even ever every few finally first for from further had has hasn't
    have haven't having he her here hers herself him himself his how however i if in initially
    inside instead into is isn't it its itself just last later least less like likewise many may
    me meanwhile might more most much must my near neither next no nor not now of off often on
    once only onto or other others our out outside over own per quite rather same several she
    should since so some soon still subsequently such than that the their them themselves then
    there these they this those though through throughout thus to together too toward towards
    under until up upon us various very via was we were what when where whereas which while who
    whom whose why will with within without would yet you your
""")

FRAME_WORDS = _words("""
    begin capture clip depict feature film footage moment present record scene see show showcase
    shot start video
""")
"""Words that speak of the video itself; every summary may use them."""

DETERMINERS = _words("""
    a an another each every her his its my our some that the their these this those your
""")

IRREGULAR = {
    "ate": "eat", "bent": "bend", "blew": "blow", "bought": "buy", "broke": "break",
    "broken": "break", "brought": "bring", "built": "build", "came": "come", "caught": "catch",
    "children": "child", "clothes": "cloth", "drank": "drink", "drawn": "draw", "drew": "draw",
    "driven": "drive", "drove": "drive", "eaten": "eat", "fallen": "fall", "families": "family",
    "family": "family", "feet": "foot", "fell": "fall", "fishes": "fish", "flew": "fly",
    "flown": "fly", "fought": "fight", "gave": "give", "given": "give", "goes": "go",
    "gone": "go", "halves": "half", "held": "hold", "hung": "hang", "kept": "keep",
    "knelt": "kneel", "knives": "knife", "laid": "lay", "leapt": "leap", "leaves": "leave",
    "left": "left", "lying": "lie", "made": "make", "men": "man", "mice": "mouse",
    "people": "person",
    "ran": "run", "ridden": "ride", "rode": "ride", "rose": "rise", "sang": "sing", "sat": "sit",
    "shook": "shake", "slid": "slide", "spun": "spin", "stood": "stand", "stuck": "stick",
    "swam": "swim", "swept": "sweep", "swung": "swing", "taken": "take", "teeth": "tooth",
    "threw": "throw", "thrown": "throw", "took": "take", "went": "go", "women": "woman",
    "wore": "wear", "worn": "wear", "wound": "wind", "wrote": "write",
}  # fmt: skip

NUMBERS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
    "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
    "ninety": 90, "hundred": 100,
}  # fmt: skip

COLORS = {
    "beige": "white brown yellow", "black": "black", "blond": "yellow", "blonde": "yellow",
    "blue": "blue", "bronze": "brown", "brown": "brown", "burgundy": "red purple",
    "charcoal": "grey black", "crimson": "red", "cyan": "blue green", "gold": "yellow",
    "golden": "yellow", "gray": "grey", "green": "green", "grey": "grey", "indigo": "blue purple",
    "ivory": "white yellow", "khaki": "brown green", "lavender": "purple", "lilac": "purple",
    "magenta": "pink purple", "maroon": "red brown", "mauve": "purple", "navy": "blue",
    "orange": "orange", "pink": "pink", "purple": "purple", "red": "red", "scarlet": "red",
    "silver": "grey white", "teal": "blue green", "turquoise": "blue green", "violet": "purple",
    "white": "white", "yellow": "yellow",
}  # fmt: skip
"""Each color word with the basic colors it may pass for."""

SHADES = _words("bright dark deep light pale vivid")

SAME_THING = {
    "blouse": "top", "cap": "hat", "jean": "trousers", "jersey": "top", "jumper": "top",
    "pant": "trousers", "shirt": "top", "sweater": "top", "trouser": "trousers", "tee": "top",
    "sofa": "couch", "automobile": "car", "auto": "car", "vehicle": "car",
}  # fmt: skip
"""Nouns that two people use for one thing."""

SIDES = {
    "left": ("left/right", "left"), "right": ("left/right", "right"),
    "leftmost": ("left/right", "left"), "rightmost": ("left/right", "right"),
    "clockwise": ("rotation", "clockwise"),
    "anticlockwise": ("rotation", "counter-clockwise"),
    "counterclockwise": ("rotation", "counter-clockwise"),
    "top": ("top/bottom", "top"), "upper": ("top/bottom", "top"),
    "bottom": ("top/bottom", "bottom"), "lower": ("top/bottom", "bottom"),
}  # fmt: skip

SIDE_NOUNS = _words("""
    arm corner edge ear eye foot half hand knee leg lane part shoulder side wrist
""")

ADJECTIVES = _words("""
    big bright broad dark deep empty faint fresh full gentle half heavy high huge large little long
    low main narrow new old open pale rough round sharp short shallow single small smooth soft steep
    tall thick thin tiny vivid whole wide young
""")

MOTION = _words("""
    approach bend bounce bow bring carry catch chase chop clap climb close collide crash crawl
    cross crouch cut dance dash dip dive dodge drag draw dribble drift drink drive drop duck eat
    embrace enter fall fetch flap fling flip flutter fly fold follow gallop give glide go grab hit
    hop hug hurl insert jog juggle jump kick kiss knead knock land leap leave lift lower lunge
    march move nod open paddle pan pass pedal peel pet pick pivot plunge pour press pull punch push
    put raise reach remove return ride rise rock roll rotate row rub run rush sail scatter scoop
    scratch scrub shake shove shrug shuffle skate ski skip slap slice slide slip smash snatch
    somersault spin splash split spray spread sprint sprinkle squat squeeze stagger step stir stomp
    stop stretch strike stroke stumble sway sweep swerve swim swing swirl take tap throw tie tilt
    toss touch trip trot tug tumble turn twirl twist unwrap vault wade walk wander wash wave whip
    whirl whisk wipe wobble wrap wriggle yank zoom
""") - {"go"}

MOTION_WITH_PARTICLE = {
    "come": "across along around back closer down forward in into off out over through toward "
    "towards up",
    "get": "back down in into off on onto out up",
    "go": "across along around back down forward in into off out over through toward towards up",
    "kneel": "down",
    "lean": "back down forward in out over",
    "lie": "back down",
    "sit": "down up",
    "stand": "up",
}
"""Verbs that describe motion only before one of these words: "stands up", "comes down"."""

NO_MOTION = _words("landscape tape taped tapes")
"""Words with the stem of a motion word that don't describe motion."""

IRREGULAR_PARTICIPLES = _words("bent cut drawn hung spread thrown wound")

AS_STATE = _words("""
    bend close cross curl cut chop draw fold lift lower open press raise roll scatter slice spread
    stop stretch tie tilt turn twist wrap
""")
"""Motions whose participle after "is" is a state: "the towels are folded"."""

EXTENDING = _words("""
    beach beam beard border branch bridge cable canal carpet ceiling coast curtain dash dot dress
    fence flight hair hedge hill hillside ivy lane line mountain path pier pipe pole railing ridge
    river road roof root rope scarf shelf shelves shore skirt sleeve stair staircase stairs steps
    stream street tower track trail valley vine wall waterfall wave
""")
"""Things whose verb of motion describes their extent: "the road runs along the coast"."""

PLURAL_SUBJECTS = _words("""
    children they people person men women police we you i
""")

PREPOSITIONS = _words("""
    above against along among around at behind below beneath beside between by for from in into
    near of on onto over past through to toward towards under with without
""")

MOTION_AS_NAME = _words("""
    back bow close closed cut dip draw drive drop fly lean lower open pan pass pet pick press rest
    ski slice slide spray spread step stroke swing whip
""")
"""Base forms that are more often a noun or an adjective than a motion."""

STATIC_PHRASES = {
    ("cutting", "board"), ("chopping", "board"), ("diving", "board"), ("diving", "platform"),
    ("diving", "pool"), ("frying", "pan"), ("rolling", "pin"), ("running", "shoe"),
    ("running", "track"), ("swimming", "cap"), ("swimming", "pool"), ("swimming", "trunk"),
    ("walking", "stick"), ("washing", "machine"), ("climbing", "wall"), ("dancing", "hall"),
    ("dance", "floor"), ("jump", "rope"), ("carrying", "case"), ("reaching", "from"),
    ("take", "place"), ("takes", "place"), ("taking", "place"), ("took", "place"),
}  # fmt: skip
"""Motion words that name a thing together with the next word."""

MATERIALS = _words("""
    brick ceramic concrete copper cotton denim knitted lace leather linen marble metal metallic
    plastic porcelain silk steel stainless suede tiled velvet wicker wooden wool woolen woollen
""")
PATTERNS = _words("""
    camouflage checkered chequered dotted floral patterned plaid polka sequin speckled spotted
    stripe striped tartan
""")
CLOTHING = _words("""
    apron blazer blouse boots cap clothing clothes coat costume dress glasses glove goggles hat
    hoodie jacket jeans jersey leggings necklace outfit pants scarf shirt shoes shorts skirt
    sleeveless sneakers sock suit sunglasses sweater swimsuit swimwear trousers trunks uniform vest
    wearing
""")
SETTING = _words("""
    background foreground backdrop caption corner inscription label logo subtitle watermark
""")

OBJECT_KINDS = {
    "colour": frozenset(COLORS) | {"multicoloured", "multicolored"},
    "material": MATERIALS,
    "pattern": PATTERNS,
    "clothing": CLOTHING,
    "setting": SETTING,
}
