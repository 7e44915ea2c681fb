//! The crate `usi` as a client: a GUI side written by others.

use std::sync::mpsc::channel;
use std::time::Duration;

use usi::{
    BestMoveParams, CheckmateParams, EngineCommand, Error, GuiCommand, MateParam, ThinkParams,
    UsiEngineHandler,
};

use crate::harness::{SOON, engine};

#[test]
fn an_independent_client_plays_and_solves() {
    let mut client = UsiEngineHandler::spawn(engine(), ".").expect("the engine starts");
    let info = client.get_info().expect("every line before usiok can be read");
    assert!(info.name().starts_with("Tsumero"));
    let options = info.options();
    assert_eq!(options.get("USI_Hash").map(String::as_str), Some("256"));
    assert_eq!(options.get("USI_Ponder").map(String::as_str), Some("false"));
    // It sends back what it was told, as GUIs do.
    for (name, value) in options.clone() {
        let value = if name == "USI_Hash" { "16".to_owned() } else { value };
        client.send_command(&GuiCommand::SetOption(name, Some(value))).unwrap();
    }
    client.prepare().expect("readyok comes");
    client.send_command(&GuiCommand::UsiNewGame).unwrap();

    let (sender, answers) = channel();
    client
        .listen(move |output| -> Result<(), Error> {
            match output.response() {
                Some(EngineCommand::BestMove(best)) => drop(sender.send(Ok(best.clone()))),
                Some(EngineCommand::Checkmate(mate)) => drop(sender.send(Err(mate.clone()))),
                Some(_) => {}
                // The engine has ended. An error ends the client's thread, which would read on and
                // on until all tests have run.
                None => return Err(Error::IllegalOperation),
            }
            Ok(())
        })
        .unwrap();

    let mut position = tsumero_core::Position::startpos();
    for _ in 0..6 {
        client.send_command(&GuiCommand::Position(position.to_sfen())).unwrap();
        let clock = ThinkParams::new()
            .btime(Duration::from_millis(900))
            .wtime(Duration::from_millis(900))
            .byoyomi(Duration::from_millis(50));
        client.send_command(&GuiCommand::Go(clock)).unwrap();
        match answers.recv_timeout(SOON).expect("an answer comes") {
            Ok(BestMoveParams::MakeMove(best, _)) => {
                position.play_unchecked(position.parse_move(&best).expect("a legal move"));
            }
            other => panic!("{other:?}"),
        }
    }
    client.send_command(&GuiCommand::Go(ThinkParams::new().infinite())).unwrap();
    client.send_command(&GuiCommand::Stop).unwrap();
    assert!(matches!(answers.recv_timeout(SOON), Ok(Ok(BestMoveParams::MakeMove(..)))));

    client.send_command(&GuiCommand::Position(crate::sfen::TSUME_3.to_owned())).unwrap();
    let mate = ThinkParams::new().mate(MateParam::Infinite);
    client.send_command(&GuiCommand::Go(mate)).unwrap();
    match answers.recv_timeout(SOON).expect("an answer comes") {
        Err(CheckmateParams::Mate(line)) => assert_eq!(line.len(), 3),
        other => panic!("{other:?}"),
    }
    // It sends `quit` when it is dropped. Sent twice, the second one may find the engine gone.
    drop(client);
}
