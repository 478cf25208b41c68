"""Openings, games, schedules, run folders, tournaments: playing many games and keeping them."""
