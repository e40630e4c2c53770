// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The code of a proxy wallet: 39 bytes that delegate to `Wallet`
/// @notice ERC-1167 with two changes:
/// - It takes native coins without delegating, because `transfer` and `send` give 2300 gas and a call to `Wallet` may cost 2600.
/// - It never reverts. It returns one byte if the delegated call succeeded, and nothing otherwise. This is 11 bytes shorter than
///   passing on the result, and a byte costs 200 gas per wallet.
///
/// It avoids PUSH0, so it is the same code on chains that do not have it. RETURNDATASIZE is 0 until something has been called.
///
///     60 27        PUSH1 39            deployment: copy 39 bytes from offset 9 to memory and return them
///     80           DUP1
///     60 09        PUSH1 9
///     3d           RETURNDATASIZE
///     39           CODECOPY
///     3d           RETURNDATASIZE
///     f3           RETURN
///
///     36           CALLDATASIZE        runtime: without calldata, stop and keep the coins
///     60 05        PUSH1 5
///     57           JUMPI
///     00           STOP
///     5b           JUMPDEST
///     36           CALLDATASIZE        copy the calldata to memory
///     3d           RETURNDATASIZE
///     3d           RETURNDATASIZE
///     37           CALLDATACOPY
///     3d           RETURNDATASIZE      delegate to the implementation, with all gas
///     3d           RETURNDATASIZE
///     36           CALLDATASIZE
///     3d           RETURNDATASIZE
///     73 (20)      PUSH20 address
///     5a           GAS
///     f4           DELEGATECALL        1 or 0
///     3d           RETURNDATASIZE      return that many bytes; what they contain has no meaning
///     f3           RETURN
library Proxy {
    /// @return The code that deploys a proxy wallet.
    function initCode(address implementation) internal pure returns (bytes memory) {
        return abi.encodePacked(hex"60278060093d393df336600557005b363d3d373d3d363d73", implementation, hex"5af43df3");
    }
}
