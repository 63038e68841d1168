"""`oche learn`: a lesson in the terminal and in the browser that ends with a board file."""
