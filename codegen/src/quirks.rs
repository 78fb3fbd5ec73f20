//! Quirks: upstream oddities that no overlay can express, each named, with versions and source.
//!
//! One that is not needed any more is an error.

use crate::ir::Type;

/// A member whose type changed between versions, so that neither holds the values of the other.
pub struct TypeChange {
    /// The provider.
    pub provider: &'static str,
    /// The definition.
    pub definition: &'static str,
    /// The member.
    pub member: &'static str,
    /// What changed, and in which versions it was seen.
    pub what: &'static str,
}

impl TypeChange {
    /// The type that holds the values of both: the untouched slice of the line.
    pub const fn decided(&self) -> Type {
        Type::Json
    }
}

/// Every type change that was decided. All of them become opaque values: a reader of one version
/// can't promise the form of the other, and the raw value loses nothing.
pub const TYPE_CHANGES: &[TypeChange] = &[
    TypeChange {
        provider: "claude",
        definition: "SDKControlInitializeRequest",
        member: "systemPrompt",
        what: "0.2.62 a text, 0.3.332 a list of texts",
    },
    TypeChange {
        provider: "claude",
        definition: "anthropic.BetaContainer",
        member: "skills",
        what: "0.2.62 and 0.3.332 have lists of objects with other names",
    },
    TypeChange {
        provider: "codex",
        definition: "AdditionalMacOsPermissions",
        member: "automations",
        what: "0.107.0 a boolean or a list, 0.113.0 a permission with a name of its own",
    },
    TypeChange {
        provider: "codex",
        definition: "AdditionalMacOsPermissions",
        member: "preferences",
        what: "0.107.0 a boolean or a text, 0.113.0 a permission with a name of its own",
    },
    TypeChange {
        provider: "codex",
        definition: "AdditionalPermissionProfile",
        member: "network",
        what: "0.107.0 a boolean, from 0.113.0 on an object",
    },
    TypeChange {
        provider: "codex",
        definition: "PermissionProfile",
        member: "macos",
        what: "0.107.0 and 0.113.0 have objects with different members",
    },
    TypeChange {
        provider: "codex",
        definition: "PermissionProfile",
        member: "network",
        what: "0.107.0 a boolean, from 0.113.0 on an object",
    },
    TypeChange {
        provider: "codex",
        definition: "PermissionsRequestApprovalParams",
        member: "permissions",
        what: "0.113.0 and 0.171.0 have objects with different members",
    },
    TypeChange {
        provider: "codex",
        definition: "PluginInterface",
        member: "defaultPrompt",
        what: "0.107.0 and 0.113.0 a text, 0.171.0 a list of texts",
    },
    TypeChange {
        provider: "codex",
        definition: "ToolsV2",
        member: "web_search",
        what: "0.107.0 a boolean, from 0.113.0 on an object",
    },
];
