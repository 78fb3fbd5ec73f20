//! Short forms of the lines that tests let the program and the host say.

/// The settings that a session begins with.
pub const INIT: &str = r#"{"type":"system","subtype":"init","agents":[],"apiKeySource":"none","claude_code_version":"1.0.0","cwd":"/p","tools":["Bash"],"mcp_servers":[],"model":"lamp-1","permissionMode":"default","slash_commands":[],"output_style":"default","skills":[],"plugins":[],"uuid":"u-init","session_id":"s"}"#;

/// A block of text that has none yet.
pub const TEXT: &str = r#"{"type":"text","text":""}"#;

/// What a result of a turn that went well says.
pub const SUCCESS: &str = r#""subtype":"success","is_error":false,"result":"done""#;

/// A message of the user that goes out.
pub fn said(text: &str) -> String {
    format!(r#"{{"type":"user","message":{{"role":"user","content":"{text}"}},"session_id":""}}"#)
}

/// An event of a stream, with the id of its line, of the agent that a call started.
pub fn streamed_as(uuid: &str, parent: &str, event: &str) -> String {
    format!(
        r#"{{"type":"stream_event","event":{event},"parent_tool_use_id":{parent},"uuid":"{uuid}","session_id":"s"}}"#
    )
}

/// The same of the main agent, with no id that matters.
pub fn streamed(event: &str) -> String {
    streamed_as("u", "null", event)
}

/// The beginning of a message.
pub fn begins(id: &str) -> String {
    streamed(&begins_event(id))
}

/// The event of it.
pub fn begins_event(id: &str) -> String {
    format!(
        r#"{{"type":"message_start","message":{{"id":"{id}","type":"message","role":"assistant","model":"lamp-1","content":[],"stop_reason":null,"stop_sequence":null,"usage":{{"input_tokens":1,"output_tokens":1}}}}}}"#
    )
}

/// The beginning of a block.
pub fn opens(index: i64, block: &str) -> String {
    streamed(&format!(
        r#"{{"type":"content_block_start","index":{index},"content_block":{block}}}"#
    ))
}

/// A piece of a block.
pub fn piece(index: i64, delta: &str) -> String {
    streamed(&piece_event(index, delta))
}

/// The event of it.
pub fn piece_event(index: i64, delta: &str) -> String {
    format!(r#"{{"type":"content_block_delta","index":{index},"delta":{delta}}}"#)
}

/// A piece of text.
pub fn text(text: &str) -> String {
    format!(r#"{{"type":"text_delta","text":"{text}"}}"#)
}

/// The end of a block.
pub fn closes(index: i64) -> String {
    streamed(&format!(
        r#"{{"type":"content_block_stop","index":{index}}}"#
    ))
}

/// The end of a message, with its figures of use.
pub fn stops(reason: &str) -> [String; 2] {
    [
        streamed(&format!(
            r#"{{"type":"message_delta","delta":{{"stop_reason":"{reason}","stop_sequence":null}},"usage":{{"output_tokens":9}}}}"#
        )),
        streamed(r#"{"type":"message_stop"}"#),
    ]
}

/// A call of a tool.
pub fn call(id: &str, name: &str, input: &str) -> String {
    format!(r#"{{"type":"tool_use","id":"{id}","name":"{name}","input":{input}}}"#)
}

/// A line of the model.
pub fn line(uuid: &str, parent: &str, id: &str, blocks: &str) -> String {
    format!(
        r#"{{"type":"assistant","message":{{"id":"{id}","type":"message","role":"assistant","model":"lamp-1","content":[{blocks}],"stop_reason":null,"stop_sequence":null,"usage":{{"input_tokens":2,"output_tokens":3}}}},"parent_tool_use_id":{parent},"uuid":"{uuid}","session_id":"s"}}"#
    )
}

/// A line of the user, with blocks.
pub fn user(blocks: &str) -> String {
    format!(
        r#"{{"type":"user","message":{{"role":"user","content":{blocks}}},"parent_tool_use_id":null,"session_id":"s"}}"#
    )
}

/// The result of a call.
pub fn result_of(call: &str, rest: &str) -> String {
    user(&format!(
        r#"[{{"type":"tool_result","tool_use_id":"{call}",{rest}}}]"#
    ))
}

/// The end of a turn.
pub fn result(uuid: &str, rest: &str) -> String {
    format!(
        r#"{{"type":"result",{rest},"duration_ms":1,"duration_api_ms":1,"num_turns":1,"stop_reason":null,"total_cost_usd":0.5,"usage":{{"input_tokens":4,"output_tokens":5,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"server_tool_use":{{"web_search_requests":0,"web_fetch_requests":0}},"service_tier":"standard","cache_creation":{{"ephemeral_1h_input_tokens":0,"ephemeral_5m_input_tokens":0}},"inference_geo":"","iterations":[],"speed":"standard"}},"modelUsage":{{}},"permission_denials":[],"uuid":"{uuid}","session_id":"s"}}"#
    )
}

/// A message of the system.
pub fn system(subtype: &str, rest: &str) -> String {
    format!(r#"{{"type":"system","subtype":"{subtype}",{rest},"uuid":"u","session_id":"s"}}"#)
}

/// A request to use a tool.
pub fn asks(request: &str, call: &str, name: &str) -> String {
    format!(
        r#"{{"type":"control_request","request_id":"{request}","request":{{"subtype":"can_use_tool","tool_name":"{name}","input":{{}},"tool_use_id":"{call}"}}}}"#
    )
}

/// The host's answer to a request.
pub fn answers(request: &str, response: &str) -> String {
    format!(
        r#"{{"type":"control_response","response":{{"subtype":"success","request_id":"{request}","response":{response}}}}}"#
    )
}
