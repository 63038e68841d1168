"""Matches in two houses: invitations, the house that records a match, the house whose board is a guest."""
