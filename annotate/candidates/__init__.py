"""Select the clips of a benchmark from the annotated segments of long videos (CaReBench, 3.1).

`segments` reads FineAction's and ActivityNet's annotations, and `services` stores them as
candidates. `decisions` selects, rejects and undoes; `cutting` makes a video of each selected
candidate; `starting` starts the jobs of both.
"""
