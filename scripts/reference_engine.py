#!/usr/bin/env python3
"""A small engine for the series protocol, written from protocol.md alone.

It plays random legal series (and mates with the last move where it can) under the presets
italian and scottish. python-chess knows the single moves; what a series is stands here. Meant to
be read by those who write an engine or a GUI of their own, and to play against in tests:

    .venv/bin/python scripts/reference_engine.py
    seriatim-match check .venv/bin/python -- scripts/reference_engine.py
"""

import os
import random
import re
import sys
import time

import chess

LINE_MAX = 1 << 20
QUIET_LIMIT = 10
TURN_MAX = 10_000
COMMANDS = (
    "uci isready setoption ucinewgame position go stop ponderhit quit debug register d"
).split()
LIMITS = ("wtime", "btime", "movetime", "depth", "nodes", "mate")  # words of go
NUMBERS = LIMITS + ("winc", "binc", "movestogo")
LISTS = ("searchmoves", "searchseries")
GO_WORDS = NUMBERS + LISTS + ("infinite", "ponder")
PRESETS = {"italian": "last", "scottish": "ends"}  # the switch Checks of each


class Refusal(Exception):
    """What cannot be understood or carried out."""


class Position:
    """A position inside a series: python-chess's board, and what it does not know."""

    def __init__(self, board, checks, turn=1, quiet=0, answerable=frozenset()):
        self.board = board  # castling is king takes rook in it
        self.checks = checks
        self.turn = turn
        self.quiet = quiet
        self.answerable = answerable  # squares passed over by the last series' double steps
        self.passed = frozenset()  # the same of this series
        self.played = 0
        self.left = turn
        self.progress = False

    def copy(self):
        other = Position.__new__(Position)
        other.__dict__.update(self.__dict__)
        other.board = self.board.copy(stack=False)
        return other

    def moves(self):
        """The allowed moves."""
        board = self.board
        found = list(board.legal_moves)
        for square in self.answerable if self.played == 0 else ():
            # python-chess knows one en passant square at a time.
            board.ep_square = square
            found += board.generate_legal_ep()
            board.ep_square = None
        return [move for move in found if self.is_allowed(move)]

    def is_allowed(self, move):
        if self.checks == "ends" or self.left == 1:
            return True
        return not self.board_after(move).is_check()

    def board_after(self, move):
        """The board after a move, with the other side to move."""
        board = self.board.copy(stack=False)
        if self.played == 0 and move.to_square in self.answerable:
            board.ep_square = move.to_square
        board.push(move)
        board.ep_square = None
        return board

    def play(self, move):
        """Plays an allowed move; at the end of a series the next one begins."""
        board = self.board
        pawn = board.piece_type_at(move.from_square) == chess.PAWN
        takes = board.piece_at(move.to_square) is not None and not board.is_castling(move)
        # A pawn that moves on can no longer be taken en passant.
        step = 8 if board.turn == chess.WHITE else -8
        passed = {square for square in self.passed if square + step != move.from_square}
        if pawn and abs(move.to_square - move.from_square) == 16:
            passed.add((move.to_square + move.from_square) // 2)
        self.progress = self.progress or pawn or takes
        side = board.turn
        self.board = board = self.board_after(move)
        self.passed = frozenset(passed)
        self.played += 1
        self.left -= 1
        if self.left == 0 or (self.checks == "ends" and board.is_check()):
            self.quiet = 0 if self.progress else self.quiet + 1
            self.turn += 1
            self.answerable, self.passed = self.passed, frozenset()
            self.played, self.left, self.progress = 0, self.turn, False
        else:
            board.turn = side

    def outcome(self):
        """Why the game is over, and whether the side on turn has lost; None if it goes on."""
        if is_dead(self.board):
            return "1/2-1/2 dead material", False
        if self.played == 0 and self.quiet > QUIET_LIMIT:
            return "1/2-1/2 quiet draw", False
        if self.moves():
            return None
        if self.board.is_check():
            winner = "0-1" if self.board.turn == chess.WHITE else "1-0"
            return f"{winner} checkmate", True
        return "1/2-1/2 progressive stalemate", False

    def read(self, text):
        """The allowed move that a text means."""
        try:
            move = chess.Move.from_uci(text)
        except ValueError:
            raise Refusal(f"'{text}' is no move, expected e.g. e2e4 or e7e8q") from None
        moves = self.moves()
        if move in moves and not self.board.is_castling(move):
            return move
        if self.board.kings & chess.BB_SQUARES[move.from_square]:
            for other in moves:
                if self.board.is_castling(other) and other.from_square == move.from_square:
                    if move in (other, king_steps(other)):
                        return other
        raise Refusal(f"move '{text}' is not allowed in turn {self.turn}")

    def perft(self, depth):
        if depth == 0:
            return 1
        total = 0
        for move in self.moves():
            after = self.copy()
            after.play(move)
            total += after.perft(depth - 1)
        return total


def is_dead(board):
    """K v K, K+B v K, K+N v K."""
    heavy = board.pawns | board.rooks | board.queens
    return chess.popcount(board.occupied) <= 3 and not heavy


def king_steps(castling):
    """A castling move as the king's two squares."""
    is_short = castling.to_square > castling.from_square
    rank = chess.square_rank(castling.from_square)
    return chess.Move(castling.from_square, chess.square(6 if is_short else 2, rank))


def text_of(board, move, chess960):
    is_orthodox = chess.square_file(move.from_square) == 4 and chess.square_file(
        move.to_square
    ) in (0, 7)
    if board.is_castling(move) and is_orthodox and not chess960:
        return king_steps(move).uci()
    return move.uci()


def read_fen(fen, checks):
    """A series FEN."""
    fields = fen.split()
    if not 4 <= len(fields) <= 7:
        raise Refusal(f"FEN '{fen}' has {len(fields)} fields, expected 4 to 7")
    placement, side, rights, passed = fields[:4]
    try:
        board = chess.Board(f"{placement} {side} {rights} - 0 1", chess960=True)
        quiet, turn = (int(text) for text in (fields[4:6] + ["0", "1"])[:2])
    except ValueError as error:
        raise Refusal(f"FEN '{fen}': {error}") from None
    if not 0 <= turn <= TURN_MAX or quiet < 0:
        raise Refusal(f"FEN '{fen}', expected counters from 0 and a turn up to {TURN_MAX}")
    waiting = board.copy()
    waiting.turn = not board.turn
    for color in chess.COLORS:
        if chess.popcount(board.kings & board.occupied_co[color]) != 1:
            raise Refusal(f"FEN '{fen}', expected one king of each side")
    if waiting.is_check():
        raise Refusal(f"FEN '{fen}', expected the side not on turn out of check")
    position = Position(board, checks, max(turn, 1), quiet, squares(passed))
    for item in fields[6].split(";") if len(fields) == 7 and fields[6] != "-" else []:
        key, _, value = item.partition("=")
        if key == "left" and value.isdigit() and 1 <= int(value) <= position.turn:
            position.left = int(value)
            position.played = position.turn - position.left
        elif key == "passed":
            position.passed = squares(value)
        elif item == "progress":
            position.progress = True
        else:
            raise Refusal(f"FEN '{fen}': '{item}', expected left=N, passed=SQUARES or progress")
    return position


def squares(text):
    if text == "-":
        return frozenset()
    try:
        return frozenset(chess.parse_square(text[at : at + 2]) for at in range(0, len(text), 2))
    except ValueError:
        raise Refusal(f"'{text}', expected squares such as c3e3 or -") from None


class Engine:
    def __init__(self, out):
        self.out = out
        self.preset = "italian"
        self.chess960 = False
        self.random = random.Random(0)
        self.start = ["startpos"]
        self.held = None  # the last words of a search that waits for stop or ponderhit
        self.hold_until = ()

    def say(self, text):
        self.out.write(text + "\n")
        self.out.flush()

    def take(self, line):
        """Carries out a line; false when the conversation is over."""
        words = line.split()
        if not words:
            return True
        while words and words[0].lower() not in COMMANDS:
            words = words[1:]
        if not words:
            raise Refusal(f"unknown command '{line.split()[0]}', expected {', '.join(COMMANDS)}")
        verb, rest = words[0].lower(), words[1:]
        if verb == "quit":
            return False
        if verb == "isready":
            self.say("readyok")
        elif verb == "uci":
            self.introduce()
        elif verb in ("stop", "ponderhit"):
            if verb in self.hold_until:
                self.release()
        elif self.held and verb in ("position", "go", "setoption", "ucinewgame"):
            raise Refusal(f"{verb} while a search runs, expected stop first")
        elif verb == "setoption":
            self.set_option(line)
        elif verb == "position":
            self.position(rest)
            self.start = rest
        elif verb == "go":
            self.go(rest)
        elif verb == "d":
            position = self.position(self.start)
            moves = " ".join(text_of(position.board, m, self.chess960) for m in position.moves())
            self.say(f"Turn: {position.turn}, {position.left} moves left\nLegal moves: {moves}")
        return True

    def introduce(self):
        presets = " ".join(f"var {name}" for name in PRESETS)
        for text in (
            "id name Seriatim reference engine",
            "id author the Seriatim authors",
            f"option name UCI_Variant type combo default italian var chess {presets}",
            "option name UCI_Chess960 type check default false",
            "option name Seed type spin default 0 min 0 max 4294967295",
            "protocol series 1",
            "uciok",
        ):
            self.say(text)

    def set_option(self, line):
        name, _, value = line.partition("name")[2].partition(" value ")
        name, value = name.strip().lower(), value.strip()
        lower = value.lower()
        if name == "uci_variant" and lower in PRESETS:
            self.preset = lower
        elif name == "uci_variant" and lower == "chess":
            pass
        elif name == "uci_chess960" and lower in ("true", "false", "on", "off"):
            self.chess960 = lower in ("true", "on")
        elif name == "seed" and value.isdigit():
            self.random = random.Random(int(value))
        else:
            raise Refusal(f"option '{name}' value '{value}', expected one that uci lists")

    def position(self, words):
        """The position that the words after `position` mean."""
        words = list(words)
        cut = words.index("moves") if "moves" in words else len(words)
        origin, moves = words[:cut], words[cut + 1 :]
        checks = PRESETS[self.preset]
        if origin == ["startpos"]:
            position = Position(chess.Board(chess960=True), checks)
        elif origin[:1] == ["startpos960"] and len(origin) == 2 and origin[1].isdigit():
            if int(origin[1]) > 959:
                raise Refusal(f"array {origin[1]}, expected 0..959")
            position = Position(chess.Board.from_chess960_pos(int(origin[1])), checks)
        elif origin[:1] == ["fen"]:
            position = read_fen(" ".join(origin[1:]), checks)
        else:
            raise Refusal(f"position {' '.join(origin)}, expected startpos, startpos960 N or fen")
        for text in moves:
            position.play(position.read(text))
        return position

    def go(self, words):
        begun = time.monotonic()
        position = self.position(self.start)
        if words[:1] == ["perft"]:
            if len(words) != 2 or not words[1].isdigit():
                raise Refusal("go perft, expected one number")
            self.say(f"Nodes searched: {position.perft(int(words[1]))}")
            return
        words = read_go(words)
        first = [position.read(text) for text in words.get("searchmoves", [])]
        listed = " ".join(words.get("searchseries", [])).split("/")
        series = [read_series(position, texts.split()) for texts in listed if words.get("searchseries")]
        is_endless = "infinite" in words or not any(word in LIMITS for word in words)
        self.hold_until = ("stop",) if is_endless else ()
        if "ponder" in words:
            self.hold_until = ("stop", "ponderhit")
        outcome = position.outcome()
        if outcome:
            reason, is_lost = outcome
            score = "mate 0" if is_lost else "cp 0"
            self.held = [
                f"info string game over: {reason}",
                f"info depth 0 multipv 1 score {score} nodes 0 nps 0 hashfull 0 time 0",
                "bestmove (none)",
            ]
        else:
            moves, is_mate = self.series(position, first, self.random.choice(series or [[]]))
            text, took = " ".join(moves), max(int((time.monotonic() - begun) * 1000), 1)
            score = "mate 1" if is_mate else "cp 0"
            self.held = [
                f"info depth 1 multipv 1 score {score} nodes {len(moves)} "
                f"nps {len(moves) * 1000 // took} hashfull 0 time {took} pv {text}",
                f"bestmove {text}",
            ]
        if not self.hold_until:
            self.release()

    def release(self):
        for line in self.held or []:
            self.say(line)
        self.held, self.hold_until = None, ()

    def series(self, position, first, only):
        """A random series, or the one that is given, and whether it mates."""
        turn = position.turn
        texts = []
        while position.turn == turn and position.outcome() is None:
            moves = only[len(texts) :][:1] or first or position.moves()
            first = []
            mates = [m for m in moves if is_mate(position, m)] if position.left == 1 else []
            move = mates[0] if mates else self.random.choice(moves)
            texts.append(text_of(position.board, move, self.chess960))
            position.play(move)
        outcome = position.outcome()
        return texts, outcome is not None and outcome[1] and position.turn != turn


def read_go(words):
    """The words of go with what follows each."""
    found = {}
    words = [word.lower() for word in words]
    while words:
        key, words = words[0], words[1:]
        if key not in GO_WORDS or key in found:
            raise Refusal(f"'{key}' in go, expected each once: {', '.join(GO_WORDS)}")
        count = 1 if key in NUMBERS else 0
        if key in LISTS:
            count = next((at for at, word in enumerate(words) if word in GO_WORDS), len(words))
        found[key], words = words[:count], words[count:]
        if key in NUMBERS and not re.fullmatch(r"[-+]?\d+", "".join(found[key])):
            raise Refusal(f"{key} {' '.join(found[key])}, expected a whole number")
        if key in LISTS and not found[key]:
            raise Refusal(f"{key}, expected moves")
    return found


def read_series(position, texts):
    """The moves of a whole series."""
    at, moves = position.copy(), []
    for text in texts:
        if at.turn != position.turn:
            raise Refusal(f"'{text}' in searchseries, expected {len(moves)} moves")
        moves.append(at.read(text))
        at.play(moves[-1])
    if at.turn == position.turn and at.outcome() is None:
        raise Refusal(f"searchseries {' '.join(texts)}, expected {at.left} more moves")
    return moves


def is_mate(position, move):
    if not position.board_after(move).is_check():
        return False
    after = position.copy()
    after.play(move)
    outcome = after.outcome()
    return outcome is not None and outcome[1]


def main():
    engine = Engine(sys.stdout)
    for raw in sys.stdin.buffer:
        try:
            if len(raw) > LINE_MAX + 1:
                raise Refusal(f"a line of {len(raw)} bytes, expected at most {LINE_MAX}")
            line = raw.decode("utf-8", "replace").lstrip("\ufeff").rstrip("\r\n")
            if not engine.take(line):
                os._exit(0)  # at once, as a client may want it
        except Refusal as refusal:
            engine.say(f"info string error: {refusal}")


if __name__ == "__main__":
    main()
