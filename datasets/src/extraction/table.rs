//! The report as a table for people.

use std::fmt;

use super::Report;
use super::carb::CarbReport;
use super::entities::EntitiesReport;
use super::gap::GapReport;
use super::memories::MemoriesReport;
use super::observations::ObservationsReport;
use super::speed::SpeedReport;

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: [Option<&dyn fmt::Display>; 7] = [
            self.entities.as_ref().map(|part| part as _),
            self.memories.as_ref().map(|part| part as _),
            self.carb.as_ref().map(|part| part as _),
            self.gap.as_ref().map(|part| part as _),
            self.observations.as_ref().map(|part| part as _),
            self.times.as_ref().map(|part| part as _),
            self.speed.as_ref().map(|part| part as _),
        ];
        for (place, part) in parts.into_iter().flatten().enumerate() {
            if place > 0 {
                writeln!(out)?;
            }
            write!(out, "{part}")?;
        }
        Ok(())
    }
}

impl fmt::Display for EntitiesReport {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "Entities          name and type                  mean  asked  names")?;
        for scores in &self.languages {
            let (typed, asked, names) = (&scores.typed, scores.asked.f1, &scores.names);
            let mean = scores.typed_mean_f1;
            writeln!(out, "  {:<14}  {typed}  {mean:.3}  {asked:.3}  {names}", scores.language)?;
        }
        writeln!(out, "  the others      F1 {:.3}, names F1 {:.3}", self.others_f1, self.others_names_f1)
    }
}

impl fmt::Display for MemoriesReport {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "Memories          covered by the kind   by any kind           facts that cover one")?;
        for scores in &self.languages {
            let (covered, any) = (scores.covered.to_string(), scores.any_kind.to_string());
            writeln!(out, "  {:<14}  {covered:<20}  {any:<20}  {}", scores.language, scores.useful)?;
        }
        for (kind, (covered, any)) in self.languages.first().into_iter().flat_map(|first| &first.kinds) {
            writeln!(out, "  en {kind:<11}  {:<20}  {any}", covered.to_string())?;
        }
        Ok(())
    }
}

impl fmt::Display for CarbReport {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { precision, recall, f1, area, predicted, gold, sentences } = self;
        writeln!(out, "CaRB              P {precision:.3}  R {recall:.3}  F1 {f1:.3}  area {area:.3}")?;
        writeln!(out, "                  {predicted} tuples for {gold} of {sentences} sentences")
    }
}

impl fmt::Display for GapReport {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "GAP")?;
        writeln!(out, "  overall         {}", self.overall)?;
        writeln!(out, "  masculine       {}", self.masculine)?;
        writeln!(out, "  feminine        {}", self.feminine)?;
        writeln!(out, "  bias            {:.3}", self.bias)?;
        writeln!(out, "  to A or B       {}", self.resolved)?;
        writeln!(out, "  to any name     {}", self.named)
    }
}

impl fmt::Display for ObservationsReport {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "Observations      {} facts", self.facts)?;
        writeln!(out, "  covered         {}", self.covered)?;
        writeln!(out, "  turn has facts  {}", self.with_fact)?;
        writeln!(out, "  within reach    {}", self.within_reach)?;
        for (name, share) in &self.conversations {
            writeln!(out, "  {name:<14}  {share}")?;
        }
        Ok(())
    }
}

impl fmt::Display for SpeedReport {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { turns, sentences, sentences_per_second, turns_per_second } = self;
        writeln!(
            out,
            "Speed             {sentences_per_second:.0} sentences/s, {turns_per_second:.0} turns/s"
        )?;
        writeln!(out, "                  {sentences} sentences in {turns} turns, one thread, median of five")
    }
}
