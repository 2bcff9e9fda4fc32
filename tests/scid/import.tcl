# Imports a PGN file into a new database of Scid. Writes how many games there were and what Scid
# warns of, then for each game the position at its end and its result.
#
#   tkscid import.tcl DATABASE PGN

proc ::progressCallBack {args} { return 0 }

lassign $argv database pgn
set base [sc_base create $database]
puts [sc_base import $base $pgn]
for {set game 1} {$game <= [sc_base numGames $base]} {incr game} {
    sc_game load $game
    sc_move end
    puts "[sc_pos fen] [sc_game info result]"
}
exit
