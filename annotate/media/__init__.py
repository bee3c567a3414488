"""Check video files, and make playback files and pictures. Pure functions of paths, no database."""
