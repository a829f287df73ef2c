//! The programs on the pages of the codes: the first has the mistake, the second has none.

use neuro_db::codes;

use super::{accept, all_diagnostics, file};

#[test]
fn pages_show_the_mistake_and_the_remedy() {
    let mut shown = 0;
    for info in codes::all().filter(|info| info.page.contains("```neuro")) {
        let programs: Vec<&str> = info
            .page
            .split("```neuro\n")
            .skip(1)
            .filter_map(|rest| rest.split("```").next())
            .collect();
        let [wrong, right] = programs[..] else {
            panic!("{:?} shows no pair of programs", info.code)
        };
        let stage = &info.code.as_str()[..3];
        if !["E03", "E04", "E06"].contains(&stage) {
            continue;
        }
        let (db, file) = file(wrong);
        let found: Vec<_> = all_diagnostics(&db, file).iter().map(|found| found.code).collect();
        assert_eq!(found, [info.code], "{wrong}");
        accept(right);
        shown += 1;
    }
    assert!(shown > 0, "no page shows a program");
}
