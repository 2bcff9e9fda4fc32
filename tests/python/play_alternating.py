"""Plays whole progressive games against the engine through python-chess, which knows nothing but
alternating chess: the waiting side passes.

    play_alternating.py ENGINE PRESET lists|fens GAMES NODES SEED

The engine plays White in the first game, Black in the next, both in the third, and so on; the
other side moves at random. With
`lists` python-chess sends the game as it does by itself, as a list of moves; with `fens` it is
shown nothing but the position. One JSON object is printed for each game: the engine's side, every
ply in UCI (0000 is a pass), how often the engine had to be asked for a pass, and what it said when
the game was over.
"""

import json
import random
import sys

import chess
import chess.engine

LAST_TURN = 12


def allowed(board, left, checks_end):
    """The moves that the rules of series chess allow here, of those that python-chess knows."""
    if checks_end or left == 1:
        return list(board.legal_moves)
    return [move for move in board.legal_moves if not board.gives_check(move)]


def play(engine, checks_end, sides, nodes, sends_fens, dice, number):
    board = chess.Board()
    turn, left, asked_to_pass = 1, 1, 0
    mover = chess.WHITE
    limit = chess.engine.Limit(nodes=nodes)

    def ask():
        shown = chess.Board(board.fen(en_passant="fen")) if sends_fens else board
        return engine.play(shown, limit, game=number, info=chess.engine.INFO_ALL)

    while turn <= LAST_TURN:
        moves = allowed(board, left, checks_end)
        if not moves:
            break
        if mover in sides:
            result = ask()
            if result.move is None:
                break
            move = result.move
            if move not in moves:
                raise SystemExit(f"{move} is not allowed in {board.fen()}")
            if not result.info.get("pv") or result.info["pv"][0] != move:
                raise SystemExit(f"the pv does not begin with {move}: {result.info}")
        else:
            move = dice.choice(moves)
        board.push(move)
        left -= 1
        if left == 0 or (checks_end and board.is_check()):
            turn += 1
            left = turn
            mover = not mover
            continue
        # The other side passes; if that is the engine, it says so itself.
        if (not mover) in sides:
            result = ask()
            if result.move is None:
                break
            if result.move != chess.Move.null():
                raise SystemExit(f"{result.move} instead of a pass in {board.fen()}")
            asked_to_pass += 1
        if not allowed(after_pass(board), left, checks_end):
            board.push(chess.Move.null())
            break
        board.push(chess.Move.null())
    over = None
    if turn <= LAST_TURN:
        result = ask()
        over = None if result.move is None else result.move.uci()
    return {
        "engine": [chess.COLOR_NAMES[side] for side in sides],
        "moves": [move.uci() for move in board.move_stack],
        "asked_to_pass": asked_to_pass,
        "played_on": over,
    }


def after_pass(board):
    passed = board.copy(stack=False)
    passed.push(chess.Move.null())
    return passed


def main():
    path, preset, how, games, nodes, seed = sys.argv[1:]
    dice = random.Random(int(seed))
    engine = chess.engine.SimpleEngine.popen_uci(path, timeout=60)
    try:
        engine.configure({"Preset": preset, "Turns": "alternating"})
        for number in range(int(games)):
            sides = [[chess.WHITE], [chess.BLACK], [chess.WHITE, chess.BLACK]][number % 3]
            ends = preset == "scottish"
            # Other nodes for each game, so that the engine plays other games against itself.
            limit = int(nodes) + number
            game = play(engine, ends, sides, limit, how == "fens", dice, number)
            print(json.dumps(game), flush=True)
    finally:
        engine.quit()


main()
