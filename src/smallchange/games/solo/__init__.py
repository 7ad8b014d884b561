"""Solo, by David Bruce Cousins (2001): one player, luck in every coin."""
