"""Reads a PGN file with python-chess and prints one JSON object for each game: the errors it
found, the placement and castling rights at the end of the main line, and its length."""

import json
import sys

import chess.pgn

with open(sys.argv[1], encoding="utf-8") as pgn:
    while (game := chess.pgn.read_game(pgn)) is not None:
        board = game.end().board()
        print(
            json.dumps(
                {
                    "errors": [str(error) for error in game.errors],
                    "placement": board.board_fen(),
                    "castling": board.castling_xfen(),
                    "result": game.headers["Result"],
                    "plies": len(list(game.mainline_moves())),
                }
            )
        )
