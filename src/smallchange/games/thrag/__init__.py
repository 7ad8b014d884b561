"""One Man: Thrag!, by Jim Doherty (2002): one player against fifteen beasts and the clock."""
