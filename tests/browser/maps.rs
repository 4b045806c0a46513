//! What is laid over the board.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::driver::{Page, in_browser};

const START: &str = "#fen=1q1q1/q3q/5/Q3Q/1Q1Q1+w";

/// The texts that a map has put on squares.
async fn texts(page: &Page) -> BTreeMap<String, String> {
    let list = page
        .value(
            "Object.fromEntries([...document.querySelectorAll('.laid-text')].map((text) => \
            [text.closest('[data-on]').dataset.on, text.textContent]))",
        )
        .await;
    serde_json::from_value(list).unwrap()
}

#[test]
fn the_heat_map_counts_the_winning_moves() {
    in_browser(|page| async move {
        page.visit(START).await;
        page.until_text("#verdict", "wins: 84 of 260").await;
        let moves = page
            .value(
                "[...document.querySelectorAll('#moves .win button')].map((button) \
            => button.dataset.move)",
            )
            .await;
        assert_eq!(moves.as_array().unwrap().len(), 40);
        page.click("#moves .more").await;
        let moves: Vec<String> = serde_json::from_value(
            page.value(
                "[...document.querySelectorAll('#moves .win button')].map((button) => \
                button.dataset.move)",
            )
            .await,
        )
        .unwrap();
        assert_eq!(moves.len(), 84);
        for (map, part) in [("from", 0), ("to", 1), ("arrow", 2)] {
            page.choose("#map", map).await;
            page.until("document.querySelector('.laid-text') !== null").await;
            let mut expected: BTreeMap<String, u32> = BTreeMap::new();
            for played in &moves {
                let square = played.split(['-', '/']).nth(part).unwrap();
                *expected.entry(square.to_string()).or_default() += 1;
            }
            let found = texts(&page).await;
            let numbers: BTreeMap<String, u32> = found
                .iter()
                .map(|(square, text)| (square.clone(), text.parse().unwrap()))
                .filter(|&(_, number)| number > 0)
                .collect();
            assert_eq!(numbers, expected, "{map}");
            page.picture(&format!("heat-{map}")).await;
        }
        // Lighter is more, and the label says the number.
        let light = |square: &str| {
            format!(
                "document.querySelector('[data-square=\"{square}\"] \
                    .laid').getAttribute('fill').match(/\\d+/g).reduce((sum, part) => sum + \
                    Number(part), 0)"
            )
        };
        page.choose("#map", "to").await;
        page.until("document.querySelector('[data-square=\"c4\"] .laid') !== null").await;
        assert!(page.value(&light("c4")).await.as_u64() > page.value(&light("a1")).await.as_u64());
        let label = page
            .value("document.querySelector('[data-square=\"c4\"]').getAttribute('aria-label')")
            .await;
        assert!(label.as_str().unwrap().contains("16 winning of "), "{label}");
        assert!(label.as_str().unwrap().ends_with("moves go here"), "{label}");
        // It follows what is chosen.
        page.square("b1").await;
        page.until_text("#status", "b1 chosen").await;
        let from_b1 = moves.iter().filter(|played| played.starts_with("b1-c4")).count();
        let found = texts(&page).await;
        assert_eq!(found.get("c4").map_or(0, |text| text.parse().unwrap()), from_b1);
    });
}

#[test]
fn distances_and_parts_are_those_of_the_server() {
    in_browser(|page| async move {
        page.visit(START).await;
        page.choose("#map", "distance").await;
        page.until("document.querySelector('.laid-text') !== null").await;
        let found = texts(&page).await;
        assert_eq!(
            (found["a1"].as_str(), found["c3"].as_str(), found["c5"].as_str()),
            ("1:2", "2:2", "2:1")
        );
        page.picture("distance").await;
        page.visit("#fen=Q1*1q/1**2/**Q*1/1*1*q/Q*2*+w").await;
        page.choose("#map", "regions").await;
        page.until("document.querySelector('.laid-text') !== null").await;
        let found = texts(&page).await;
        assert_eq!(
            (found["a2"].as_str(), found["a4"].as_str(), found["b5"].as_str()),
            ("a", "d", "d")
        );
        let lines = page.text("#regions-list").await;
        assert!(lines.contains("exactly White ahead by 1; value -1, Black as Left"), "{lines}");
        page.picture("regions").await;
        page.choose("#map", "none").await;
        assert_eq!(page.value("document.querySelector('.laid')").await, Value::Null);
    });
}
