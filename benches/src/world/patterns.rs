//! The sentences that people of a world make, with gaps in braces that `talk.rs` fills.

/// Before what is told.
pub(super) const OPENERS: &[&str] = &[
    "Hey {you}!",
    "Oh, by the way.",
    "Guess what!",
    "Good to hear from you, {you}.",
    "So much has happened.",
    "Sorry for the late answer, {you}, the {trouble} kept me busy.",
    "Morning!",
    "You won't believe this.",
    "Right, some news.",
    "Ha, where to begin?",
];

/// Behind what is told.
pub(super) const ASIDES: &[&str] = &[
    "What about you, {you}?",
    "Anyway, how are things?",
    "Long story, as usual.",
    "Did you know that?",
    "It took {n} minutes because of the {trouble}.",
    "Not bad for a {day}, right?",
    "Nothing but {weather} here, by the way.",
    "More about that when we meet at {clock}.",
    "Who would have thought?",
];

/// What tells nothing that lasts.
pub(super) const CHAT: &[&str] = &[
    "How was your week?",
    "I hardly slept, the neighbours were up until {clock}.",
    "That sounds lovely.",
    "I should call more often.",
    "Did you see the match on {day}?",
    "What an ending!",
    "I keep meaning to fix the {trouble}, but there is always something.",
    "Ha, tell me about it.",
    "My phone died in the middle of the day again.",
    "Let's meet at {clock} when you have time.",
    "It was all {weather} and {weather} this {day}.",
    "Thanks for the photos, they made my day.",
    "I'm so {feeling} today, {you}.",
    "Are you still {feeling} about the {trouble}?",
    "The {trouble} again, {n} minutes of it this morning.",
    "Wow, really?",
    "No way!",
    "Congratulations, {you}!",
    "That must have been hard.",
    "See you at the {spot} at {clock} then.",
    "Could you send me the recipe for that {dish}?",
    "What do you think of the new {make} advert?",
    "Ugh, the {trouble} and the {trouble} in one day.",
    "Is the {spot} open on {day}?",
    "They say {weather} until {day}, so bring a coat.",
    "Somebody left a {thing} in front of the {spot} with a note that said \"{rare}\".",
    "The queue at the {spot} was {n} people long.",
    "Have you heard of {make}?",
    "Everybody says {rare} now, even the grown-ups.",
    "It said {price} on the sign and {price} at the till.",
    "Same here, honestly.",
    "Take care of yourself.",
    "Good luck with the {trouble}!",
    "Never mind, it happens.",
    "So {feeling}, and it is only {day}.",
    "Where did the time go?",
    "Do you remember the {rare} thing from back then?",
    "Tell me when you are back.",
    "The {object} made that {rare} noise again, then nothing.",
    "Fingers crossed for {day}!",
    "Oh no, not the {trouble}.",
    "Page {price} of the manual says nothing about the {trouble}.",
    "Maybe the {make} people can help with that.",
    "Bus {n} was late, bus {price} never came.",
];

const WORK: &[&str] = &[
    "I work at {firm} as a {job}.",
    "I'm a {job} at {firm}.",
    "I started working at {firm} {past}.",
    "I got a new job at {firm} {past}.",
    "I quit my job at {old firm} {past}.",
    "My {kin} works at {his firm} as a {his job}.",
    "My {kin} works at {his firm}, and I work at {firm}.",
    "{who} works at {his firm} as a {his job} these days.",
    "{who} is a {his job} at {his firm}.",
    "My boss is {who}.",
    "{who} was hired by {his firm} {past}.",
    "I'm a {job}, and my {kin} is a {his job} at {his firm}.",
];

const HOME: &[&str] = &[
    "I live in {home} with {who}.",
    "I moved from {old home} to {home} {past}.",
    "{who} lives in {his home} now.",
    "My {kin} lives in {his home}.",
    "My {kin} moved to {his home} {past}.",
    "I grew up in {birthplace}, and my {kin} still lives in {his home}.",
    "I was born in {birthplace} on {date}.",
    "{who} is from {his birthplace}.",
    "{who} moved from {his old home} to {his home} {past}.",
    "We live in {home} near the {spot}.",
    "{who} was born in {his birthplace} on {date}.",
];

const TIES: &[&str] = &[
    "{who} is {who}'s {role}.",
    "{who} and {who} are my friends.",
    "{who} is married to {who}.",
    "I met {who} and {who} at the {spot} {past}.",
    "{who} is a friend of mine.",
    "I know {who} from the {spot}.",
    "My {kin} met {who} and {who} {past}.",
    "My {kin} is married to {who}.",
    "{who} and I are good friends.",
    "Yesterday I met {who} at the {spot}, and {who} is {who}'s {role}.",
];

const LIKES: &[&str] = &[
    "I love {taste}, {food} and {food}.",
    "I really enjoy {pastime} and {pastime}.",
    "I like {taste} and {dish}.",
    "My favourite food is {taste}.",
    "I can't stand {dish}.",
    "My {kin} loves {his taste}, {food} and {dish}.",
    "{who} is a big fan of {genre}.",
    "{who} hates {food} and loves {his taste}.",
    "I hate {food} and {dish}.",
    "I read {title} {past} and I loved {title}.",
    "{who} likes {genre}, {pastime} and {his taste}.",
    "I'm allergic to {food} and {food}.",
    "I play {game}, and my {kin} plays {game}.",
];

const PLANS: &[&str] = &[
    "I'm planning to {deed} {soon}.",
    "We're going to visit {town} in {month}.",
    "I want to {deed} and I will visit {who} in {town}.",
    "My {kin} is planning to {deed} {soon}.",
    "{who} wants to {deed} {soon}.",
    "I'm going to buy a {thing} {soon}, and my {kin} wants to {deed}.",
    "I would love to {deed}.",
    "{who} decided to {deed} {past}.",
    "I will visit {town} {soon}, and {who} is planning to {deed}.",
];

const TRIPS: &[&str] = &[
    "We went to {town} {past}.",
    "I visited {town} and {town} {past}.",
    "I flew to {town} with {who} {past}.",
    "My {kin} went to {town} {past}.",
    "{who} visited {town}, {town} and {town} {past}.",
    "I went {pastime} with {who} {past}.",
    "We travelled to {town} {past} and I visited {town} and {town}.",
    "My {kin} visited {who} and {who} in {town} {past}.",
];

const BUYS: &[&str] = &[
    "Yesterday I bought a {thing} and a {thing}.",
    "I bought a {thing} from {make} for {price} euros.",
    "My {kin} bought a {thing} {past}.",
    "{who} bought a {make} {object} and a {thing} {past}.",
    "I own a {thing} and a {make} {object}.",
    "I bought a {thing}, a {thing} and a {thing} at the {spot}.",
    "My {kin} bought a {make} {object} for {price} at the {spot}.",
];

const HOUSEHOLD: &[&str] = &[
    "I have a {named pet} and a {other named pet}.",
    "My {pet} is {n}.",
    "I adopted a {named pet}.",
    "I'm {age} and I live in {home}.",
    "{who} is {his age}.",
    "My {kin} is {his age}.",
    "My {kin} has a {his named pet} and a {his other named pet}.",
    "My {kin} turned {his age} last week.",
    "I have two brothers and my {kin} has three cats.",
    "I turned {age} {past}.",
];

const STUDIES: &[&str] = &[
    "I study {subject} at {school}.",
    "My {kin} studies {his subject} at {his school}.",
    "{who} teaches {his subject} at {his school}.",
    "{who} speaks {language} and {language}.",
    "I speak {language}, {language} and {language}.",
    "I graduated from {school} {past}.",
    "{who} studies {his subject} at {his school}.",
    "I'm fluent in {language}, and my {kin} speaks {language}.",
];

const LEISURE: &[&str] = &[
    "I joined the {club} in {town}.",
    "I volunteer at the {spot}.",
    "My {kin} joined the {club}, and {who} is a member of the {club}.",
    "{who} volunteers at the {spot} and plays {game}.",
    "{who} won the {make} Cup {past}.",
    "I founded the {make} {club} {past}.",
    "{who} wrote {title} {past}.",
    "I play {game} with {who}.",
];

/// What can be talked of, each with what tells something.
pub(super) const TOPICS: &[&[&str]] =
    &[WORK, HOME, TIES, LIKES, PLANS, TRIPS, BUYS, HOUSEHOLD, STUDIES, LEISURE];
