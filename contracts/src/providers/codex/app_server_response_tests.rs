#![allow(clippy::unwrap_used, clippy::panic)]
use std::collections::BTreeSet;
use std::sync::Arc;

use super::*;
use crate::json::Reader;
use crate::kit::ledger::Draft;
use crate::kit::mapping::{Fate, RowVerb};
use crate::providers::codex::wire::app_server_response::{ROWS, ServerResponse, map, refs};

/// The drafts of a result.
fn mapped(method: &str, result: &str) -> Vec<Draft> {
    let line: Arc<str> = Arc::from(format!(r#"{{"id":3,"result":{result}}}"#));
    let body = r#"{"id":3,"result":"#.len()..line.len() - 1;
    let mut reader = Reader::new(&line);
    let object = Reader::new(&line).object().unwrap();
    let range = Some(body.clone());
    let response =
        ServerResponse::read_content(&mut reader, &object, method.into(), range).unwrap();
    let mut drafts = Vec::new();
    let mut cx = Cx::new(&line, body, &mut drafts);
    cx.lift(refs(&response));
    map(&mut CodexMapping::new(), &mut cx, &response);
    assert_eq!(*cx.fate(), Fate::Mapped);
    drafts
}

/// The events of a result as JSON, each with the thread that it is about.
fn events(method: &str, result: &str) -> Vec<String> {
    let event = |draft: &Draft| {
        let payload = serde_json::to_string(&draft.payload).unwrap();
        match &draft.refs.thread {
            Some(thread) => format!("{thread}: {payload}"),
            None => payload,
        }
    };
    mapped(method, result).iter().map(event).collect()
}

const THREAD: &str = r#"{"id":"th","cliVersion":"1","createdAt":1,"updatedAt":1,"cwd":"/w","ephemeral":false,"modelProvider":"p","preview":"","source":"cli","status":{"type":"idle"},"turns":[],"gitInfo":{"sha": null,"branch":"b"},"later":1}"#;

/// The settings that a response which opens a thread holds, in the order of their names.
const SETTINGS: &str = r#""approvalPolicy":"never","cwd":"/w","later":{ },"model":"m","modelProvider":"p","reasoningEffort":null,"sandbox":{"type":"dangerFullAccess"}"#;

/// A method, a result, and the events that come of it.
type Case = (&'static str, String, Vec<String>);

fn cases() -> Vec<Case> {
    let case = |method, result: &str, events: &[&str]| {
        (
            method,
            result.to_owned(),
            events.iter().map(ToString::to_string).collect(),
        )
    };
    let configured = |config: &str| {
        format!(r#"{{"type":"session.configured","payload":{{"config":{config}}}}}"#)
    };
    let opened = format!(r#"{{"thread":{THREAD},{SETTINGS}}}"#);
    let about_thread = format!("th: {}", configured(&format!("{{{SETTINGS}}}")));
    let lists = [
        (
            "collaborationMode/list",
            "collaborationModes",
            r#"{"name":"plan","later":1}"#,
        ),
        (
            "experimentalFeature/list",
            "features",
            r#"{"name":"f","stage":"beta","enabled":true,"defaultEnabled":false}"#,
        ),
        (
            "hooks/list",
            "hooks",
            r#"{"cwd":"/w","errors":[],"hooks":[],"warnings":[]}"#,
        ),
        (
            "model/list",
            "models",
            r#"{"id":"m","model":"m","displayName":"M","description":"d","hidden":false,"isDefault":true,"defaultReasoningEffort":"low","supportedReasoningEfforts":[]}"#,
        ),
        (
            "permissionProfile/list",
            "permissionProfiles",
            r#"{"id":"p","allowed":true}"#,
        ),
        (
            "skills/list",
            "skills",
            r#"{"cwd":"/w","errors":[],"skills":[]}"#,
        ),
    ];
    let mut cases: Vec<Case> = Vec::new();
    for (method, key, element) in lists {
        let result = format!(r#"{{"nextCursor":"n","data":[ {element} ]}}"#);
        let config = format!(r#"{{"{key}":[ {element} ],"{key}NextCursor":"n"}}"#);
        cases.push(case(method, &result, &[&configured(&config)]));
    }
    for method in ["thread/start", "thread/fork"] {
        cases.push(case(method, &opened, &[&about_thread]));
    }
    let resumed = format!(
        r#"{{"thread":{THREAD},"initialTurnsPage":null,"itemsBackwardsCursor":"c","turnsBackwardsCursor":"d",{SETTINGS}}}"#
    );
    let started = r#"th: {"type":"thread.started","payload":{"providerThreadId":"th"}}"#;
    cases.push(case("thread/resume", &resumed, &[started, &about_thread]));
    let thread = format!(r#"{{"thread":{THREAD}}}"#);
    cases.push(case(
        "thread/metadata/update",
        &thread,
        &[r#"th: {"type":"thread.metadata.updated","payload":{"metadata":{"gitInfo":{"sha": null,"branch":"b"}}}}"#],
    ));
    cases.push(case(
        "thread/rollback",
        &thread,
        &[r#"th: {"type":"thread.state.changed","payload":{"state":"idle","detail":{"rolledBack":true}}}"#],
    ));
    cases.push(case(
        "newConversation",
        r#"{"conversationId":"th","model":"m","reasoningEffort":null,"rolloutPath":"/r"}"#,
        &[
            started,
            &format!(
                "th: {}",
                configured(r#"{"model":"m","reasoningEffort":null,"rolloutPath":"/r"}"#)
            ),
        ],
    ));
    cases.push(case(
        "initialize",
        r#"{"userAgent":"codex/1","codexHome":"/h","later":[ 1 ]}"#,
        &[&configured(
            r#"{"codexHome":"/h","later":[ 1 ],"userAgent":"codex/1"}"#,
        )],
    ));
    for method in ["config/read", "getUserSavedConfig"] {
        cases.push(case(
            method,
            r#"{"origins":{},"config":{"model":"m","later":{"x": 1.0}}}"#,
            &[&configured(r#"{"later":{"x": 1.0},"model":"m"}"#)],
        ));
    }
    cases.push(case(
        "configRequirements/read",
        r#"{"requirements":{"later": 1}}"#,
        &[&configured(r#"{"requirements":{"later": 1}}"#)],
    ));
    cases.push(case(
        "experimentalFeature/enablement/set",
        r#"{"enablement":{"goals": true}}"#,
        &[&configured(r#"{"featureEnablement":{"goals": true}}"#)],
    ));
    cases.push(case(
        "modelProvider/capabilities/read",
        r#"{"imageGeneration":true,"webSearch":false,"later":1}"#,
        &[&configured(
            r#"{"modelProviderCapabilities":{"imageGeneration":true,"webSearch":false,"later":1}}"#,
        )],
    ));
    cases.push(case(
        "modelProvider/list",
        r#"{"data":[],"defaultProviderId":"p","canChangeDefault":true}"#,
        &[&configured(
            r#"{"modelProviders":[],"modelProvidersCanChangeDefault":true,"modelProvidersDefaultProviderId":"p"}"#,
        )],
    ));
    cases.push(case(
        "remoteControl/status/read",
        r#"{"status":"disabled","serverName":"host","installationId":"i","environmentId":null}"#,
        &[&configured(
            r#"{"remoteControl":{"status":"disabled","serverName":"host","installationId":"i","environmentId":null}}"#,
        )],
    ));
    cases.push(case(
        "mcpServerStatus/list",
        r#"{"data":[{"name":"harbour","authStatus":"unsupported","tools":{},"resources":[],"resourceTemplates":[],"later": 1}],"nextCursor":null}"#,
        &[r#"{"type":"mcp.status.updated","payload":{"status":[{"name":"harbour","authStatus":"unsupported","tools":{},"resources":[],"resourceTemplates":[],"later": 1}]}}"#],
    ));
    cases.push(case(
        "account/rateLimits/read",
        r#"{"rateLimits":{"primary":null},"later": 1e400}"#,
        &[r#"{"type":"account.rate-limits.updated","payload":{"rateLimits":{"rateLimits":{"primary":null},"later": 1e400}}}"#],
    ));
    cases.push(case(
        "account/read",
        r#"{"account":{"type":"apiKey"},"requiresOpenaiAuth":true,"userId":"u"}"#,
        &[r#"{"type":"account.updated","payload":{"account":{"account":{"type":"apiKey"},"requiresOpenaiAuth":true,"userId":"u"}}}"#],
    ));
    cases.push(case(
        "getAuthStatus",
        r#"{"authToken":"secret","authMethod":"chatgpt","requiresOpenaiAuth":true}"#,
        &[r#"{"type":"account.updated","payload":{"account":{"authMethod":"chatgpt","requiresOpenaiAuth":true}}}"#],
    ));
    cases.push(case(
        "accountSession/switch",
        r#"{"sessions":[],"activeSessionId":"s"}"#,
        &[r#"{"type":"account.updated","payload":{"account":{"sessions":[],"activeSessionId":"s"}}}"#],
    ));
    cases.push(case(
        "account/login/start",
        r#"{"type":"chatgpt","loginId":"l","authUrl":"https://a.example"}"#,
        &[r#"{"type":"auth.status","payload":{"isAuthenticating":true,"output":["https://a.example"]}}"#],
    ));
    cases.push(case(
        "loginChatGpt",
        r#"{"loginId":"l","authUrl":"https://a.example"}"#,
        &[r#"{"type":"auth.status","payload":{"isAuthenticating":true,"output":["https://a.example"]}}"#],
    ));
    cases.push(case(
        "account/gatewayOAuth/read",
        r#"{"providerId":"p","providerName":"P","required":true,"status":"started","error":null}"#,
        &[r#"{"type":"auth.status","payload":{"isAuthenticating":true}}"#],
    ));
    cases
}

#[test]
fn each_mapped_result_becomes_its_events() {
    for (method, result, expected) in cases() {
        assert_eq!(events(method, &result), expected, "{method}");
    }
}

#[test]
fn every_mapped_row_has_a_test_here() {
    let tested: BTreeSet<&str> = cases().iter().map(|case| case.0).collect();
    let mapped = ROWS
        .iter()
        .filter(|row| !matches!(row.verb, RowVerb::Drop(_)));
    let mapped: BTreeSet<&str> = mapped.map(|row| row.tag).collect();
    assert_eq!(tested, mapped);
    assert_eq!(mapped.len(), 28);
}

/// The only event of a result.
fn only(method: &str, result: &str) -> String {
    let events = events(method, result);
    assert_eq!(events.len(), 1, "{events:?}");
    events.concat()
}

#[test]
fn a_login_tells_what_the_user_needs_or_that_nothing_is_needed() {
    let login = |members: &str| only("account/login/start", &format!("{{{members}}}"));
    assert_eq!(
        login(
            r#""type":"chatgptDeviceCode","loginId":"l","verificationUrl":"https://v.example","userCode":"AB-1""#
        ),
        r#"{"type":"auth.status","payload":{"isAuthenticating":true,"output":["https://v.example","AB-1"]}}"#
    );
    for kind in ["apiKey", "chatgptAuthTokens", "amazonBedrock"] {
        assert_eq!(
            login(&format!(r#""type":"{kind}""#)),
            r#"{"type":"auth.status","payload":{"isAuthenticating":false}}"#,
            "{kind}"
        );
    }
    assert_eq!(
        login(r#""type":"carrierPigeon""#),
        r#"{"type":"auth.status","payload":{}}"#
    );
}

#[test]
fn a_gateway_sign_in_that_failed_says_so() {
    let status = |status: &str, error: &str| {
        only(
            "account/gatewayOAuth/read",
            &format!(
                r#"{{"providerId":"p","providerName":"P","required":true,"status":{status},"error":{error}}}"#
            ),
        )
    };
    let expect = |payload: &str| format!(r#"{{"type":"auth.status","payload":{payload}}}"#);
    assert_eq!(
        status(r#""failed""#, r#""no route""#),
        expect(r#"{"isAuthenticating":false,"error":"no route"}"#)
    );
    assert_eq!(
        status(r#""failed""#, "null"),
        expect(r#"{"isAuthenticating":false,"error":"failed"}"#)
    );
    for ended in [r#""succeeded""#, r#""notReady""#, "null"] {
        assert_eq!(
            status(ended, "null"),
            expect(r#"{"isAuthenticating":false}"#),
            "{ended}"
        );
    }
    assert_eq!(status(r#""drifting""#, "null"), expect("{}"));
}

#[test]
fn a_switch_of_accounts_may_begin_a_login_in_either_spelling() {
    for members in [
        r#""auth_url":"https://a.example","login_id":"l""#,
        r#""authUrl":"https://a.example","loginId":"l""#,
    ] {
        assert_eq!(
            only("accountSession/switch", &format!("{{{members}}}")),
            r#"{"type":"auth.status","payload":{"isAuthenticating":true,"output":["https://a.example"]}}"#
        );
    }
    assert_eq!(
        only("accountSession/switch", r#"{"x":1}"#),
        r#"{"type":"runtime.warning","payload":{"message":"unrecognized answer to `accountSession/switch`","detail":{"x":1}}}"#
    );
}

#[test]
fn no_token_gets_into_an_event() {
    let result = r#"{"authToken":"sk-secret","authMethod":null,"authToken":"sk-secret"}"#;
    let event = only("getAuthStatus", result);
    assert_eq!(
        event,
        r#"{"type":"account.updated","payload":{"account":{"authMethod":null}}}"#
    );
}

#[test]
fn a_login_of_the_older_protocol_may_lack_its_link() {
    assert_eq!(
        only("loginChatGpt", r#"{"loginId":"l"}"#),
        r#"{"type":"auth.status","payload":{"isAuthenticating":true}}"#
    );
}

#[test]
fn what_is_absent_stays_absent() {
    let without_git = THREAD.replace(r#""gitInfo":{"sha": null,"branch":"b"},"#, "");
    assert_eq!(
        only(
            "thread/metadata/update",
            &format!(r#"{{"thread":{without_git}}}"#)
        ),
        r#"th: {"type":"thread.metadata.updated","payload":{}}"#
    );
    assert_eq!(
        only("getUserSavedConfig", r#"{"config":null}"#),
        r#"{"type":"session.configured","payload":{"config":{}}}"#
    );
    assert_eq!(
        only("skills/list", r#"{"data":[]}"#),
        r#"{"type":"session.configured","payload":{"config":{"skills":[]}}}"#
    );
}

#[test]
fn settings_are_slices_of_the_line() {
    let result = format!(r#"{{"thread":{THREAD},{SETTINGS}}}"#);
    let line: Arc<str> = Arc::from(result);
    let mut drafts = Vec::new();
    let cx = Cx::new(&line, 0..line.len(), &mut drafts);
    let before = Arc::strong_count(&line);
    let configured = all_but(&cx, THREAD_MEMBERS);
    assert_eq!(Arc::strong_count(&line), before + configured.config.len());
}
