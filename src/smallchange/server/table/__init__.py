"""The table: a match, its seats and offers, and what each seat may do. It knows no pages, HTTP, sockets or rows."""
