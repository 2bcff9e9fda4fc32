//! Mating pictures that can still be reached: which of our men, on which squares, after which enemy
//! men are taken, would mate.
//!
//! The bound of [`super::bound`] looks a few moves ahead. In late positions, with long series and
//! few men, what matters is farther off, and often there is no picture at all that these men could
//! make in all their moves. A picture grows by need: whatever is amiss with it (no check, a flight
//! that is not covered, an enemy man that parries the check, our king in check) names the men and
//! squares that could put it right, and each is tried. So every mate that can be reached is found
//! as one of the pictures that are, with the moves that its men need at least; where there is none
//! within the moves left, there is no mate. Other men of ours are in nobody's way, and may be
//! anywhere that helps.
//!
//! Not asked where more than that decides: while castling or a capture en passant is possible.

use arrayvec::ArrayVec;
use shakmaty::{Piece, attacks};

use super::{
    frontier::LONG,
    gallery::Gallery,
    limits::Meter,
    scene::{CREW, Picture, Placed, Places, Scene},
    travel::{FAR, NEVER, Travel, forms, index},
};
use crate::rules::{Balance, Bitboard, CheckRule, Role, SeriesPosition, Square};

/// How many pictures are looked at for one that fits.
const LOOKS: u32 = 3000;

/// After so many questions in vain only every [`PATIENCE`]th is asked.
const MISSES: u32 = 32;
const PATIENCE: u32 = 8;

/// All pictures are looked for when as many have been looked at in vain as may then be looked at: so
/// many at first.
const FIRST_ALLOWANCE: u32 = 1000;

/// Under balance pictures are looked for where each man has so many moves.
const MOVES_EACH: usize = 3;

/// So many enemy men to be taken are looked at together.
const TOUR: usize = 6;

/// What the pictures say of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// No picture can be reached: there is no mate.
    Nothing,
    /// One can perhaps be reached in so many moves.
    Within(u16),
    /// Nothing is known.
    Unknown,
}

/// The pictures over one set-up of enemy men.
#[derive(Default)]
pub(super) struct Pictures {
    travel: Travel,
    /// All pictures of this search, once there has been so much to ask that they are worth it.
    gallery: Gallery,
    /// Where the search began, if pictures may be kept.
    start: Option<SeriesPosition>,
    /// How many pictures have been looked at, and at how many the next try to keep them all may.
    looked: u32,
    allowance: u32,
    /// Whether there are so few men that pictures are looked for.
    is_thin: bool,
    /// Whether the series is so long that they say better than anything else how far a mate is.
    is_long: bool,
    /// How often in a row that has refuted nothing.
    misses: u32,
    /// How often they were not worth asking since.
    passed_over: u32,
}

impl Pictures {
    /// What they take at most.
    pub(super) const BYTES: usize = Travel::BYTES + Gallery::BYTES;

    /// Prepares for `position` and what follows from it.
    pub(super) fn begin(&mut self, position: &SeriesPosition) {
        self.is_thin = is_thin(position);
        self.is_long = position.moves_left() >= LONG;
        self.misses = 0;
        self.passed_over = 0;
        self.looked = 0;
        self.allowance = FIRST_ALLOWANCE;
        let may_keep = self.is_thin && may_ask(position);
        self.start = may_keep.then_some(*position);
        self.gallery.clear();
        if self.is_thin {
            self.gallery.begin(position);
            self.travel.begin(position);
        }
    }

    /// Whether the series is long.
    pub(super) fn are_for_long(&self) -> bool {
        self.is_long
    }

    /// Whether to ask where a mate seems near: in shorter series not so often where that hardly ever
    /// refuted anything.
    pub(super) fn are_worth_asking(&mut self) -> bool {
        self.passed_over += 1;
        self.is_long || self.misses < MISSES || self.passed_over.is_multiple_of(PATIENCE)
    }

    /// Looks for all pictures.
    fn collect(&mut self, meter: &mut Meter<'_>) {
        let Some(start) = &self.start else {
            return;
        };
        self.gallery.begin(start);
        let allowance = self.allowance;
        let (travel, gallery) = (&mut self.travel, &mut self.gallery);
        let Some(mut quest) = Quest::new(start, travel, gallery, meter) else {
            return;
        };
        quest.looks = allowance;
        quest.is_for_all = true;
        quest.explore(&Picture::default());
        if quest.looks > 0 {
            self.gallery.complete();
        }
        self.looked = 0;
        self.allowance = allowance.saturating_mul(4);
    }

    /// From now on positions are asked about that follow from `position`, which is the start or follows
    /// from the last one given to this, until [`Pictures::widen`].
    pub(super) fn focus(&mut self, position: &SeriesPosition) {
        if self.gallery.is_complete() {
            self.gallery.focus(position);
        }
    }

    /// Ends what [`Pictures::focus`] began last.
    pub(super) fn widen(&mut self) {
        self.gallery.widen();
    }

    /// Ends all that [`Pictures::focus`] has begun.
    pub(super) fn widen_all(&mut self) {
        self.gallery.widen_all();
    }

    /// Whether it is known that no picture can be reached.
    pub(super) fn are_out_of_reach(
        &mut self,
        position: &SeriesPosition,
        meter: &mut Meter<'_>,
    ) -> bool {
        self.gallery.is_complete()
            && self
                .gallery
                .nearest(position, &mut self.travel, meter)
                .is_none()
    }

    /// What there is within the moves that `position` has left; [`Pictures::begin`] must have seen
    /// one that led to it.
    pub(super) fn reach(&mut self, position: &SeriesPosition, meter: &mut Meter<'_>) -> Reach {
        if !(self.is_thin && may_ask(position)) {
            return Reach::Unknown;
        }
        if let Some(moves) = self.gallery.nearest(position, &mut self.travel, meter) {
            return Reach::Within(moves as u16);
        }
        if self.gallery.is_complete() {
            return Reach::Nothing;
        }
        let (travel, gallery) = (&mut self.travel, &mut self.gallery);
        let Some(mut quest) = Quest::new(position, travel, gallery, meter) else {
            return Reach::Unknown;
        };
        quest.explore(&Picture::default());
        let (found, looks) = (quest.found, quest.looks);
        self.misses += 1;
        self.looked += LOOKS - looks;
        if self.looked >= self.allowance && self.start.is_some() {
            self.collect(meter);
        }
        match found {
            Some(moves) => Reach::Within(moves as u16),
            None if looks == 0 => Reach::Unknown,
            None => {
                self.misses = 0;
                Reach::Nothing
            }
        }
    }
}

/// Whether our men are so few that pictures are worth looking for. Pictures leave balance aside, so under
/// balance they tell little unless each man moves several times.
fn is_thin(position: &SeriesPosition) -> bool {
    let men = position.men().of(position.side()).count();
    let moves = usize::from(position.moves_left());
    let is_free = position.rules().balance == Balance::Off || moves >= MOVES_EACH * men;
    men <= CREW && is_free
}

/// Whether pictures tell anything: castling and a capture en passant are not among the moves that
/// they know.
fn may_ask(position: &SeriesPosition) -> bool {
    position.castling_rooks(position.side()).is_empty() && !position.can_take_en_passant()
}

/// A man of ours where it stands.
#[derive(Clone, Copy)]
struct Hand {
    role: Role,
    square: Square,
}

/// The search for a picture.
struct Quest<'q, 'm> {
    scene: Scene<'q>,
    crew: ArrayVec<Hand, CREW>,
    travel: &'q mut Travel,
    /// The moves there are.
    left: usize,
    looks: u32,
    /// The moves of the picture that was found.
    found: Option<usize>,
    /// Where what is found is kept.
    gallery: &'q mut Gallery,
    /// Whether all pictures are looked for, not only one.
    is_for_all: bool,
    meter: &'q mut Meter<'m>,
}

impl<'q, 'm> Quest<'q, 'm> {
    /// A search for pictures in `position`; `None` where there is no enemy king.
    fn new(
        position: &'q SeriesPosition,
        travel: &'q mut Travel,
        gallery: &'q mut Gallery,
        meter: &'q mut Meter<'m>,
    ) -> Option<Quest<'q, 'm>> {
        let us = position.side();
        let men = position.men();
        let king = men.king(!us)?;
        let mut crew = ArrayVec::new();
        for square in men.of(us) {
            if let Some(role) = men.role_at(square) {
                crew.push(Hand { role, square });
            }
        }
        Some(Quest {
            scene: Scene {
                men,
                us,
                king,
                enemy: men.of(!us) & !Bitboard::from_square(king),
                shy: position.rules().checks == CheckRule::Last,
                double_step: position.rules().double_step,
            },
            crew,
            travel,
            left: usize::from(position.moves_left()),
            looks: LOOKS,
            found: None,
            gallery,
            is_for_all: false,
            meter,
        })
    }
}

impl Quest<'_, '_> {
    /// Looks at the pictures that `picture` can grow into until one fits.
    fn explore(&mut self, picture: &Picture) {
        if self.looks == 0 || self.found.is_some() {
            return;
        }
        let needed = (picture.moves + self.detour(picture)).max(picture.gone.count());
        if needed > self.left {
            return;
        }
        self.looks -= 1;
        self.meter.work(1);
        if self.meter.is_stopped() {
            self.looks = 0;
            return;
        }
        let rest = self.scene.enemy & !picture.gone;
        let occupied = rest | picture.own;
        // Flights are attacked through the square that the enemy king leaves, nothing else is.
        let all = occupied | Bitboard::from_square(self.scene.king);
        if let Some(king) = picture.king() {
            let checkers = self.scene.men.attackers(!self.scene.us, king, all) & rest;
            if let Some(checker) = checkers.first() {
                self.remove(picture, checker);
                self.put_on(picture, attacks::between(checker, king));
                return;
            }
        }
        let mut attacked = Bitboard::EMPTY;
        let mut checkers: ArrayVec<Placed, CREW> = ArrayVec::new();
        for placed in &picture.placed {
            let man = Piece {
                color: self.scene.us,
                role: placed.role,
            };
            let squares = attacks::attacks(placed.square, man, occupied);
            attacked |= squares;
            if squares.contains(self.scene.king) {
                checkers.push(*placed);
            }
        }
        if let Some(open) = self.hardest(picture, attacked, rest) {
            match open {
                Open::Hopeless => {}
                Open::Square(square) => {
                    self.cover(picture, square, rest);
                    if square != self.scene.king && self.scene.shy {
                        self.put_king_on(picture, self.scene.shy_of_flight(square, rest));
                    }
                }
            }
            return;
        }
        if let [checker] = checkers.as_slice()
            && let Some((parrier, to)) = self.scene.parry(picture, *checker, rest, all)
        {
            self.stop(picture, parrier, to, rest);
            return;
        }
        if self.is_for_all {
            self.gallery.add(picture);
            if !self.gallery.has_room() {
                self.looks = 0;
            }
            return;
        }
        let needed = needed.max(self.tour(picture));
        if needed <= self.left {
            self.found = Some(needed);
            if self.gallery.has_room() {
                self.gallery.add(picture);
            }
        }
    }

    /// How many moves more it takes at least to take what must be taken.
    fn detour(&mut self, picture: &Picture) -> usize {
        let mut most = 0;
        for prey in picture.gone {
            let mut least = NEVER;
            for hand in 0..self.crew.len() {
                let Hand { role, square } = self.crew[hand];
                let placed = picture.placed.iter().find(|placed| placed.hand == hand);
                for (form, &then) in forms(role).iter().enumerate() {
                    let there = self.travel.moves(role, square, form, prey);
                    if there == NEVER {
                        continue;
                    }
                    let moves = match placed {
                        None => there,
                        Some(goal) => {
                            let direct = self.travel.moves(role, square, goal.form, goal.square);
                            let on = forms(then)
                                .iter()
                                .position(|&role| role == goal.role)
                                .map_or(NEVER, |form| {
                                    self.travel.moves(then, prey, form, goal.square)
                                });
                            if on == NEVER {
                                continue;
                            }
                            there + on - direct
                        }
                    };
                    least = least.min(moves);
                }
            }
            most = most.max(least);
        }
        most
    }

    /// How many moves the men need at least to take all that must be taken and come to their places.
    /// Nothing is known of many enemy men.
    fn tour(&mut self, picture: &Picture) -> usize {
        let prey: ArrayVec<Square, TOUR> = picture.gone.into_iter().take(TOUR).collect();
        let sets = 1 << prey.len();
        // By set of enemy men: the moves of the men so far.
        let mut best = [NEVER; 1 << TOUR];
        best[0] = 0;
        for hand in 0..self.crew.len() {
            let alone = self.tour_of(hand, picture, &prey);
            for set in (0..sets).rev() {
                let mut least = NEVER;
                let mut part: usize = set;
                loop {
                    least = least.min(best[set ^ part] + alone[part]);
                    if part == 0 {
                        break;
                    }
                    part = (part - 1) & set;
                }
                best[set] = least.min(NEVER);
            }
        }
        best[sets - 1]
    }

    /// By set of `prey`: the moves that one man needs to take these and come to its place.
    fn tour_of(&mut self, hand: usize, picture: &Picture, prey: &[Square]) -> [usize; 1 << TOUR] {
        let Hand { role, square } = self.crew[hand];
        let goal = picture.placed.iter().find(|placed| placed.hand == hand);
        let direct = goal.map_or(0, |goal| {
            self.travel.moves(role, square, goal.form, goal.square)
        });
        let mut tours = [NEVER; 1 << TOUR];
        tours[0] = direct;
        if role == Role::Pawn {
            // What it becomes on its way is not followed here.
            for (set, tour) in tours.iter_mut().enumerate().take(1 << prey.len()).skip(1) {
                *tour = direct.max(set.count_ones() as usize);
            }
            return tours;
        }
        // By set and the one of it taken last.
        let mut ways = [[NEVER; TOUR]; 1 << TOUR];
        for set in 1..1usize << prey.len() {
            for (last, &there) in prey.iter().enumerate() {
                let before = set & !(1 << last);
                if before == set {
                    continue;
                }
                let mut least = NEVER;
                if before == 0 {
                    least = self.travel.moves(role, square, 0, there);
                }
                for (previous, &from) in prey.iter().enumerate() {
                    if before >> previous & 1 != 0 {
                        let moves = self.travel.moves(role, from, 0, there);
                        least = least.min(ways[before][previous] + moves);
                    }
                }
                ways[set][last] = least.min(NEVER);
                let home = goal.map_or(0, |goal| self.travel.moves(role, there, 0, goal.square));
                tours[set] = tours[set].min(least + home);
            }
        }
        tours
    }

    /// The square that has to be attacked and is not, for which there are the fewest ways.
    fn hardest(&mut self, picture: &Picture, attacked: Bitboard, rest: Bitboard) -> Option<Open> {
        let near = attacks::king_attacks(self.scene.king) & !rest;
        let mut open = (near | Bitboard::from_square(self.scene.king)) & !attacked;
        if self.scene.shy
            && let Some(king) = picture.king()
        {
            open = open
                .into_iter()
                .filter(|&square| {
                    square == self.scene.king
                        || !self.scene.shy_of_flight(square, rest).contains(king)
                })
                .collect();
        }
        let mut hardest = None;
        let mut fewest = usize::MAX;
        for square in open {
            let mut ways = 0;
            let places = self.scene.places_against(square);
            let room = self.left - picture.moves;
            for hand in 0..self.crew.len() {
                if picture.has(hand) {
                    continue;
                }
                let Hand { role, square } = self.crew[hand];
                for (form, &then) in forms(role).iter().enumerate() {
                    let squares = self.travel.within(role, square, form, room);
                    ways += (squares & places[index(then)] & !picture.own).count();
                }
            }
            ways += picture
                .placed
                .iter()
                .filter(|placed| places[index(placed.role)].contains(placed.square))
                .count();
            if self.scene.shy && square != self.scene.king && picture.king().is_none() {
                ways += self.scene.shy_of_flight(square, rest).count();
            }
            if ways == 0 {
                return Some(Open::Hopeless);
            }
            if ways < fewest {
                fewest = ways;
                hardest = Some(Open::Square(square));
            }
        }
        hardest
    }

    /// Lets men attack `square`.
    fn cover(&mut self, picture: &Picture, square: Square, rest: Bitboard) {
        let places = self.scene.places_against(square);
        self.open_lines(picture, square, &places, rest, Bitboard::EMPTY);
        self.put(picture, &places, Some(square), Bitboard::EMPTY);
    }

    /// Opens the lines to `square` of men that are on `places` already, where enemy men other than
    /// `kept` close them.
    fn open_lines(
        &mut self,
        picture: &Picture,
        square: Square,
        places: &Places,
        rest: Bitboard,
        kept: Bitboard,
    ) {
        for placed in &picture.placed {
            let line = attacks::between(placed.square, square);
            let closing = line & rest & !kept;
            if places[index(placed.role)].contains(placed.square)
                && closing.any()
                && (line & picture.own).is_empty()
            {
                self.explore(&picture.with_gone(closing));
            }
        }
    }

    /// Puts a man that is not in the picture on one of its `places`, the nearest first, from where
    /// its line to `toward` must be open but for `kept`.
    fn put(&mut self, picture: &Picture, places: &Places, toward: Option<Square>, kept: Bitboard) {
        for moves in 0..=FAR.min(self.left - picture.moves) {
            for hand in 0..self.crew.len() {
                if picture.has(hand) {
                    continue;
                }
                let Hand { role, square } = self.crew[hand];
                for (form, &then) in forms(role).iter().enumerate() {
                    let squares = self.travel.just_within(role, square, form, moves)
                        & places[index(then)]
                        & !picture.own;
                    for square in squares {
                        let line = toward
                            .map_or(Bitboard::EMPTY, |toward| attacks::between(square, toward));
                        if (line & picture.own).any() {
                            continue;
                        }
                        let taken =
                            (line & !kept | Bitboard::from_square(square)) & self.scene.enemy;
                        let mut next = picture.with_gone(taken);
                        next.own.add(square);
                        next.moves += moves;
                        next.placed.push(Placed {
                            hand,
                            form,
                            role: then,
                            square,
                        });
                        self.explore(&next);
                    }
                }
            }
        }
    }

    /// Puts any man on one of `squares`.
    fn put_on(&mut self, picture: &Picture, squares: Bitboard) {
        if squares.any() {
            self.put(picture, &[squares; 6], None, Bitboard::EMPTY);
        }
    }

    /// Puts our king on one of `squares`.
    fn put_king_on(&mut self, picture: &Picture, squares: Bitboard) {
        if squares.any() {
            let mut places = [Bitboard::EMPTY; 6];
            places[index(Role::King)] = squares;
            self.put(picture, &places, None, Bitboard::EMPTY);
        }
    }

    /// Has an enemy man taken.
    fn remove(&mut self, picture: &Picture, square: Square) {
        self.explore(&picture.with_gone(Bitboard::from_square(square)));
    }

    /// Keeps the enemy man on `from` from parrying by going to `to`.
    fn stop(&mut self, picture: &Picture, from: Square, to: Square, rest: Bitboard) {
        self.remove(picture, from);
        self.put_on(picture, attacks::between(from, to));
        let line = attacks::ray(self.scene.king, from);
        if line.any() && !line.contains(to) {
            let places = self.scene.pinning_places(from);
            let kept = Bitboard::from_square(from);
            self.open_lines(picture, self.scene.king, &places, rest, kept);
            self.put(picture, &places, Some(self.scene.king), kept);
        }
        // A double check leaves only flights.
        self.cover(picture, self.scene.king, rest);
        if self.scene.shy && picture.king().is_none() {
            self.put_king_on(picture, self.scene.shy_of_move(from, to, rest));
        }
    }
}

/// What is not attacked as it must be.
enum Open {
    /// It cannot be put right.
    Hopeless,
    Square(Square),
}

#[cfg(test)]
mod tests;
