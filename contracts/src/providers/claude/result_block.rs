//! Blocks that hold the result of a call: whether it failed.

use crate::json::{Kind, Malformed, OwnedJson, Reader};

/// Whether a result says that its call failed: by a flag, or by content that is an error.
pub(super) fn failed(block: &OwnedJson) -> bool {
    // What can't be read says nothing of a failure; the decoder of the message is loud about it.
    read(&mut block.reader()).unwrap_or(false)
}

fn read(reader: &mut Reader<'_>) -> Result<bool, Malformed> {
    if reader.kind()? != Kind::Object {
        return Ok(false);
    }
    let mut failed = false;
    let mut object = reader.object()?;
    while let Some(name) = reader.key(&mut object)? {
        match (&*name, reader.kind()?) {
            ("is_error", Kind::Boolean) => failed |= reader.boolean()?,
            ("content", Kind::Object) => failed |= is_error(reader)?,
            _ => reader.skip()?,
        }
    }
    Ok(failed)
}

/// Whether the content of a result has the type of an error, or the exit code of one.
fn is_error(reader: &mut Reader<'_>) -> Result<bool, Malformed> {
    let mut error = false;
    let mut object = reader.object()?;
    while let Some(name) = reader.key(&mut object)? {
        match (&*name, reader.kind()?) {
            ("type", Kind::String) => error |= reader.string()?.ends_with("_error"),
            ("return_code", Kind::Number) => error |= reader.raw()?.as_str() != "0",
            _ => reader.skip()?,
        }
    }
    Ok(error)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_flag_or_the_content_tells_a_failure() {
        for (text, fails) in [
            (r#"{"type":"tool_result","content":"x"}"#, false),
            (r#"{"is_error":true,"content":"x"}"#, true),
            (
                r#"{"content":{"type":"web_search_tool_result_error"}}"#,
                true,
            ),
            (
                r#"{"content":{"type":"code_execution_result","return_code":1}}"#,
                true,
            ),
            (
                r#"{"content":{"type":"code_execution_result","return_code":0}}"#,
                false,
            ),
            (r#"{"content":[{"type":"web_search_result"}]}"#, false),
            ("7", false),
        ] {
            assert_eq!(failed(&OwnedJson::parse(text).unwrap()), fails, "{text}");
        }
    }
}
