// Records what Rust and serde_json answer to the inputs recorded of Go: cargo run < ../../../test/peers/goldens/go.json > ../../../test/peers/goldens/rust.json
use serde_json::{json, Value};
use std::net::IpAddr;

fn column(record: &Value, name: &str) -> Vec<String> {
    let rows = record[name].as_array().expect("a table");
    rows.iter().map(|row| row[0].as_str().expect("a text").to_owned()).collect()
}

fn main() {
    let record: Value = serde_json::from_reader(std::io::stdin()).expect("the recording of Go");
    let quote: Vec<Value> = column(&record, "quote")
        .iter()
        .map(|text| json!([text, format!("{text:?}"), format!("{:?}", text.chars().next().unwrap())]))
        .collect();
    let address: Vec<Value> = column(&record, "address")
        .iter()
        .map(|text| json!([text, text.parse::<IpAddr>().ok().map(|address| address.to_string())]))
        .collect();
    let mut float = vec![];
    for text in column(&record, "float") {
        let value: f64 = text.parse().unwrap();
        if !value.is_finite() {
            continue;
        }
        let shown = format!("{value}");
        let point = if shown.contains('.') { "" } else { ".0" };
        float.push(json!([text, serde_json::to_string(&value).unwrap(), format!("{shown}{point}")]));
    }
    println!("{}", json!({ "quote": quote, "address": address, "float": float }));
}
