"""Label pairs: their pages, their forms, and two labels side by side."""
