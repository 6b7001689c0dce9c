//! The model of a world: who is who's what, as a list of facts. It knows nothing of words.

use fastrand::Rng;

use super::names::{COMPANIES, HOBBIES, INSTRUMENTS, JOBS, PEOPLE, PETS, SCHOOLS, TOWNS};

/// What ties one to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tie {
    /// Two who are married.
    Spouse,
    /// Two who have the same parents.
    Sibling,
    /// A parent, and a child.
    Parent,
    /// Two friends.
    Friend,
    /// Somebody, and their boss.
    Boss,
    /// Somebody, and the company that they work for.
    Employer,
    /// Somebody, and what they do for a living.
    Job,
    /// Somebody, and the town that they live in.
    Home,
    /// A company, and who founded it.
    Founder,
    /// A company, and the town that it is in.
    Seat,
    /// A town, and the county or country that it lies in.
    Region,
    /// Somebody, and the school that they go to.
    School,
    /// A school, and the town that it is in.
    SchoolTown,
    /// Somebody, and their animal.
    Pet,
    /// Somebody, and the instrument that they play.
    Instrument,
    /// Somebody, and their pastime.
    Hobby,
}

impl Tie {
    /// Whether both ends are tied in the same way.
    pub(super) fn is_mutual(self) -> bool {
        matches!(self, Self::Spouse | Self::Sibling | Self::Friend)
    }
}

/// When a fact holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Era {
    /// All the time.
    Always,
    /// Until something takes its place.
    Before,
    /// Since it took the place of something.
    Since,
}

/// One tie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fact {
    pub(super) tie: Tie,
    pub(super) from: &'static str,
    pub(super) to: &'static str,
    pub(super) era: Era,
}

/// Somebody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Person {
    pub(super) name: &'static str,
    pub(super) is_woman: bool,
}

/// A world.
#[derive(Debug, Default)]
pub(super) struct Model {
    pub(super) people: Vec<Person>,
    pub(super) facts: Vec<Fact>,
    /// Those who talk.
    pub(super) speakers: Vec<&'static str>,
}

/// Who is of which age, while a world grows.
struct Growing<'r> {
    rng: &'r mut Rng,
    model: Model,
    names: Vec<(&'static str, bool)>,
    /// Grown-ups, those of one home in a row.
    homes: Vec<Vec<&'static str>>,
    towns: Vec<&'static str>,
}

impl Model {
    /// Makes a world.
    pub(super) fn grow(rng: &mut Rng) -> Self {
        let names = shuffled(rng, PEOPLE);
        let count = rng.usize(4..=5);
        let towns = shuffled(rng, TOWNS).into_iter().take(count).map(|town| town.0).collect();
        let mut growing = Growing { rng, model: Self::default(), names, homes: Vec::new(), towns };
        growing.families();
        growing.friends();
        growing.settle();
        growing.work();
        growing.learn();
        growing.keep_and_play();
        growing.lie();
        growing.model
    }

    /// Who or what is tied to `from` now.
    pub(super) fn of(&self, tie: Tie, from: &str) -> Vec<&'static str> {
        self.in_era(tie, from, |era| era != Era::Before)
    }

    /// Who or what was tied to `from` before that changed.
    pub(super) fn before(&self, tie: Tie, from: &str) -> Vec<&'static str> {
        self.in_era(tie, from, |era| era == Era::Before)
    }

    fn in_era(&self, tie: Tie, from: &str, counts: impl Fn(Era) -> bool) -> Vec<&'static str> {
        let facts = self.facts.iter().filter(|fact| fact.tie == tie && counts(fact.era));
        let other_end = |fact: &Fact| match (fact.from == from, fact.to == from && tie.is_mutual()) {
            (true, _) => Some(fact.to),
            (_, true) => Some(fact.from),
            _ => None,
        };
        facts.filter_map(other_end).collect()
    }

    /// Who is tied to `to` now, from the other end.
    pub(super) fn to(&self, tie: Tie, to: &str) -> Vec<&'static str> {
        let facts =
            self.facts.iter().filter(|fact| fact.tie == tie && fact.to == to && fact.era != Era::Before);
        facts.map(|fact| fact.from).collect()
    }

    /// Whether that is a woman or a girl; `None` where it is no person.
    pub(super) fn is_woman(&self, name: &str) -> Option<bool> {
        self.people.iter().find(|person| person.name == name).map(|person| person.is_woman)
    }
}

impl Growing<'_> {
    fn person(&mut self, woman: Option<bool>) -> &'static str {
        let fits = |(_, is_woman): &(&str, bool)| woman.is_none_or(|woman| woman == *is_woman);
        let place = self.names.iter().position(fits).expect("there are more names than people");
        let (name, is_woman) = self.names.remove(place);
        self.model.people.push(Person { name, is_woman });
        name
    }

    fn tie(&mut self, tie: Tie, from: &'static str, to: &'static str) {
        self.tie_in(tie, from, to, Era::Always);
    }

    fn tie_in(&mut self, tie: Tie, from: &'static str, to: &'static str, era: Era) {
        self.model.facts.push(Fact { tie, from, to, era });
    }

    fn chance(&mut self, share: f32) -> bool {
        self.rng.f32() < share
    }

    /// Couples with grown-up children; the first child of each marries, and some have a child.
    fn families(&mut self) {
        for _ in 0..self.rng.usize(2..=3) {
            let (mother, father) = (self.person(Some(true)), self.person(Some(false)));
            self.tie(Tie::Spouse, mother, father);
            self.homes.push(vec![mother, father]);
            let children: Vec<&str> = (0..self.rng.usize(2..=3)).map(|_| self.person(None)).collect();
            self.raise([mother, father], &children);
            self.model.speakers.extend(&children[..2.min(children.len())]);
            let woman = self.model.is_woman(children[0]).map(|woman| !woman);
            let spouse = self.person(woman);
            self.tie(Tie::Spouse, children[0], spouse);
            self.homes.push(vec![children[0], spouse]);
            self.homes.extend(children[1..].iter().map(|child| vec![*child]));
            if self.chance(0.7) {
                let child = self.person(None);
                self.raise([children[0], spouse], &[child]);
            }
        }
        for _ in 0..self.rng.usize(2..=3) {
            let lone = self.person(None);
            self.homes.push(vec![lone]);
        }
        self.model.speakers.truncate(4);
    }

    fn raise(&mut self, parents: [&'static str; 2], children: &[&'static str]) {
        for (place, child) in children.iter().enumerate() {
            for parent in parents {
                self.tie(Tie::Parent, parent, child);
            }
            for other in &children[..place] {
                self.tie(Tie::Sibling, other, child);
            }
        }
    }

    fn friends(&mut self) {
        let grown = self.homes.concat();
        for place in 0..self.model.speakers.len() {
            let speaker = self.model.speakers[place];
            for _ in 0..2 {
                let other = grown[self.rng.usize(0..grown.len())];
                let related = [Tie::Sibling, Tie::Spouse, Tie::Friend]
                    .into_iter()
                    .any(|tie| self.model.of(tie, speaker).contains(&other))
                    || self.model.to(Tie::Parent, speaker).contains(&other);
                if other != speaker && !related {
                    self.tie(Tie::Friend, speaker, other);
                }
            }
        }
    }

    /// Everybody has a home; two homes move.
    fn settle(&mut self) {
        for (place, home) in self.homes.clone().into_iter().enumerate() {
            let town = self.rng.usize(0..self.towns.len());
            let moves = place % 4 == 1;
            let to = self.towns[(town + 1 + self.rng.usize(0..self.towns.len() - 1)) % self.towns.len()];
            for person in home {
                let era = if moves { Era::Before } else { Era::Always };
                self.tie_in(Tie::Home, person, self.towns[town], era);
                if moves {
                    self.tie_in(Tie::Home, person, to, Era::Since);
                }
            }
        }
    }

    /// Companies with who founded them and who works there for whom; some change.
    fn work(&mut self) {
        let mut grown = self.homes.concat();
        self.rng.shuffle(&mut grown);
        let count = self.rng.usize(3..=4);
        let companies: Vec<&str> = shuffled(self.rng, COMPANIES).into_iter().take(count).collect();
        let mut jobs = shuffled(self.rng, JOBS);
        let mut staff: Vec<Vec<(&str, bool)>> = vec![Vec::new(); companies.len()];
        for (place, person) in grown.iter().enumerate().skip(1) {
            let at = place % companies.len();
            let changes = place % 5 == 2;
            if changes {
                self.tie_in(Tie::Employer, person, companies[(at + 1) % companies.len()], Era::Before);
            }
            let era = if changes { Era::Since } else { Era::Always };
            self.tie_in(Tie::Employer, person, companies[at], era);
            staff[at].push((person, changes));
            if let Some(job) = jobs.pop_if(|_| place % 2 == 0) {
                self.tie(Tie::Job, person, job);
            }
        }
        for (company, staff) in companies.iter().zip(staff) {
            let founder = grown[self.rng.usize(0..grown.len())];
            self.tie(Tie::Founder, company, founder);
            let town = self.towns[self.rng.usize(0..self.towns.len())];
            self.tie(Tie::Seat, company, town);
            for (place, (person, changes)) in staff.iter().enumerate().skip(1) {
                let boss = staff[self.rng.usize(0..place.min(2))].0;
                let era = if *changes { Era::Since } else { Era::Always };
                self.tie_in(Tie::Boss, person, boss, era);
            }
        }
    }

    /// Who has no home of their own goes to school.
    fn learn(&mut self) {
        let grown = self.homes.concat();
        let schools = shuffled(self.rng, SCHOOLS);
        let people: Vec<&str> = self.model.people.iter().map(|person| person.name).collect();
        let children = people.into_iter().filter(|person| !grown.contains(person));
        for (child, school) in children.zip(schools) {
            self.tie(Tie::School, child, school);
            let town = self.towns[self.rng.usize(0..self.towns.len())];
            self.tie(Tie::SchoolTown, school, town);
        }
    }

    fn keep_and_play(&mut self) {
        let mut pets = shuffled(self.rng, PETS);
        let mut instruments = shuffled(self.rng, INSTRUMENTS);
        let mut hobbies = shuffled(self.rng, HOBBIES);
        let people: Vec<&str> = self.model.people.iter().map(|person| person.name).collect();
        for person in people {
            if let Some((pet, _)) = self.chance(0.3).then(|| pets.pop()).flatten() {
                self.tie(Tie::Pet, person, pet);
            }
            if let Some(instrument) = self.chance(0.35).then(|| instruments.pop()).flatten() {
                self.tie(Tie::Instrument, person, instrument);
            }
            if let Some(hobby) = self.chance(0.35).then(|| hobbies.pop()).flatten() {
                self.tie(Tie::Hobby, person, hobby);
            }
        }
    }

    /// Where the towns lie.
    fn lie(&mut self) {
        for town in self.towns.clone() {
            let (_, region, _) =
                TOWNS.iter().find(|known| known.0 == town).expect("towns come from the list");
            self.tie(Tie::Region, town, region);
        }
    }
}

fn shuffled<T: Copy>(rng: &mut Rng, list: &[T]) -> Vec<T> {
    let mut list = list.to_vec();
    rng.shuffle(&mut list);
    list
}
